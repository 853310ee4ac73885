import BusTesting
import DBus
import Testing

@testable import Baton

@Suite struct BusChoiceTests {
    @Test func `BATON_BUS names a bus or gives an address`() {
        #expect(BusChoice.named("system") == .system)
        #expect(BusChoice.named("session") == .session)
        #expect(BusChoice.named("unix:path=/run/bus") == .address("unix:path=/run/bus"))
        #expect(BusChoice.named("") == nil)
        #expect(BusChoice.named(nil) == nil)
    }

    @Test func `where Baton is installed no session bus is asked, though it has the name and the system bus does not`()
        async throws
    {
        let (system, session) = (try PrivateBus(), try PrivateBus())
        let pretender = try await session.connect()
        _ = try await pretender.own(Device1.busName)
        let policy = session.folder + "/bus.conf"
        let installed = try await BusChoice.choose(
            system: system.address, session: session.address, policies: ["/nonexistent", policy])
        #expect(installed.bus == system.address)
        let tried = try await BusChoice.choose(
            system: system.address, session: session.address, policies: ["/nonexistent"])
        #expect(tried.bus == session.address)
        system.kill()
        await #expect(throws: DeviceError.self) {
            _ = try await BusChoice.choose(system: system.address, session: session.address, policies: [policy])
        }
    }

    @Test func `a system bus that does not say whether it has Baton is not left for the session's`() async throws {
        let session = try PrivateBus()
        let system = try PrivateBus(
            policy: """
                <policy context="default">
                  <allow user="*"/>
                  <allow send_destination="org.freedesktop.DBus"/>
                  <allow receive_type="method_return"/>
                  <allow receive_type="signal"/>
                  <allow receive_type="error"/>
                  <deny send_interface="org.freedesktop.DBus" send_member="ListActivatableNames"/>
                </policy>
                """)
        let device = try await BusChoice.choose(system: system.address, session: session.address, policies: [])
        #expect(device.bus == system.address)
    }

    @Test func `the policy is looked for where the bus reads it`() {
        #expect(
            BusChoice.policies == [
                "/usr/share/dbus-1/system.d/org.baton.Device1.conf", "/etc/dbus-1/system.d/org.baton.Device1.conf",
            ])
    }

    @Test func `a missing daemon and a refusal of the bus are told apart`() {
        func error(_ name: ErrorName) -> (any Error)? { translated(.reply(name: name, message: "why")) }
        #expect(error(.serviceUnknown) as? DeviceError == .noDaemon("batond does not run on this bus"))
        #expect(error(.accessDenied) as? DeviceError == .notAllowed("why"))
        #expect(error("org.baton.Error.StaleEpoch") as? BatonError == BatonError(.staleEpoch, "why"))
        #expect(translated(.timedOut) as? DeviceError == .timedOut)
    }
}
