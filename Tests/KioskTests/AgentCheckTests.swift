import BusTesting
import KioskTesting
import TerminalTesting
import Testing

/// `baton-agent --check`, before there is a supervisor or a worker.
@Suite(.asOrdinaryUser, .timeLimit(.minutes(1)))
struct AgentCheckTests {
    private func check(_ environment: [String: String]) async throws -> (status: Int32, output: String) {
        let terminal = try Terminal(settings: "")
        let agent = try terminal.run(["baton-agent", "--check"], environment: environment)
        let status = await agent.end()
        return (status, agent.output)
    }

    @Test(.needsNamespaces)
    func `a session in which everything can be covered and cleared passes`() async throws {
        let display = try VirtualDisplay()
        let (status, output) = try await check(["DISPLAY": display.display])
        #expect(status == 0, "\(output)")
        #expect(output.contains("x11"))
        #expect(output.contains("proof: namespace"))
    }

    @Test(.enabled(if: HeadlessCompositor.areInstalled("weston"), "needs weston"))
    func `a compositor that gives no access to the clipboard is named before the first worker`() async throws {
        let compositor = try await HeadlessCompositor(weston: "check")
        let (status, output) = try await check(["DISPLAY": "", "WAYLAND_DISPLAY": compositor.socket])
        #expect(status == 1, "\(output)")
        #expect(output.contains("wayland"))
        #expect(output.contains("gives no access to the clipboard"))
    }

    @Test func `a session without a display is told what is missing`() async throws {
        let (status, output) = try await check(["DISPLAY": "", "WAYLAND_DISPLAY": ""])
        #expect(status == 1, "\(output)")
        #expect(output.contains("neither DISPLAY nor WAYLAND_DISPLAY"))
    }
}
