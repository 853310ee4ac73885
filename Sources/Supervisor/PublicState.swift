package import SessionMachine
package import Vocabulary

/// What the properties of `org.baton.Device1` show.
package struct PublicState: Hashable, Sendable {
    package var mode: Mode
    package var phase: Phase
    package var epoch: Epoch
    package var current: TurnAccount?
    package var previous: TurnAccount?
    /// The screen is covered until its worker is back.
    package var isLocked: Bool
    /// Microseconds; see the property.
    package var deadline: UInt64
}

extension Machine {
    func publicState(at now: Moment) -> PublicState {
        PublicState(
            mode: mode, phase: phase, epoch: epoch, current: holder, previous: previous(at: now),
            isLocked: provenLock != nil, deadline: deadline)
    }
}
