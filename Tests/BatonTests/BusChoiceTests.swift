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

    @Test func `a missing daemon and a refusal of the bus are told apart`() {
        func error(_ name: ErrorName) -> (any Error)? { translated(.reply(name: name, message: "why")) }
        #expect(error(.serviceUnknown) as? DeviceError == .noDaemon("batond does not run on this bus"))
        #expect(error(.accessDenied) as? DeviceError == .notAllowed("why"))
        #expect(error("org.baton.Error.StaleEpoch") as? BatonError == BatonError(.staleEpoch, "why"))
        #expect(translated(.timedOut) as? DeviceError == .timedOut)
    }
}
