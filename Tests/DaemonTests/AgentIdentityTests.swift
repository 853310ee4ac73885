import Testing

@testable import DeviceBus

@Suite("Who may be the agent")
struct AgentIdentityTests {
    private static let unit = "baton-agent.service"

    @Test(arguments: [
        "/system.slice/baton-agent.service", "/system.slice/baton-agent.service/agent", "/baton-agent.service",
    ])
    func `a process of the system's own unit may`(path: String) {
        #expect(AgentIdentity.runs(path, as: Self.unit))
    }

    /// A user names the units of their own manager as they like.
    @Test(arguments: [
        "/user.slice/user-999.slice/user@999.service/app.slice/baton-agent.service",
        "/user.slice/user-999.slice/session-1.scope/baton-agent.service",
        "/system.slice/kiosk.service/baton-agent.service",
        "/system.slice/other.service", "/", "",
    ])
    func `a process of a unit that a user has named so may not`(path: String) {
        #expect(!AgentIdentity.runs(path, as: Self.unit))
    }
}
