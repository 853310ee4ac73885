internal import SessionMachine
internal import Vocabulary

/// What the properties of `org.baton.Device1` show.
struct PublicState: Hashable, Sendable {
    var mode: Mode
    var phase: Phase
    var epoch: Epoch
    var current: TurnAccount?
    var previous: TurnAccount?
    /// Microseconds; see the property.
    var deadline: UInt64
}

extension Machine {
    func publicState(at now: Moment) -> PublicState {
        PublicState(
            mode: mode, phase: phase, epoch: epoch, current: holder, previous: previous(at: now), deadline: deadline)
    }
}
