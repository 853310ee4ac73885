internal import BatonContract

/// What happens to one who takes part, and what is to be done about it.
extension ParticipationMachine {
    /// What the app is to be told when it has to clear.
    struct Clearing: Hashable, Sendable {
        /// 0: a turn that the device does not know any more.
        var epoch: UInt64
        var account: Account?
        var reason: SignOutReason
        /// Microseconds of CLOCK_MONOTONIC; 0: none.
        var deadline: UInt64
    }

    enum Event: Hashable, Sendable {
        /// What the bus says is there now: the daemon's journal.
        case appeared(journalID: String)
        case vanished
        case registered(instance: UInt64, epoch: UInt64, phase: Phase, clearThrough: UInt64, account: Account?)
        case signedIn(epoch: UInt64, account: Account)
        case signingOut(Clearing)
        case signedOut(epoch: UInt64)
        /// The app's function returned.
        case delivered
        case cleared(AcknowledgementOutcome)
        case acknowledged(epoch: UInt64, instance: UInt64, Reception)
        /// The answer to `askAccount`; nil account: nobody is signed in.
        case account(epoch: UInt64, Account?)
        /// `GetCurrentAccount` was refused: something must be cleared that this side does not know of.
        case accountRefused
    }

    /// How an acknowledgement was received.
    enum Reception: Hashable, Sendable {
        case taken
        /// The device and this side do not mean the same; registering tells how things stand.
        case refused
    }

    enum Effect: Hashable, Sendable {
        case register
        case deliver(epoch: UInt64, Account)
        /// The app is still busy with the sign-in, and the worker leaves.
        case cancelDelivery
        case clear(Clearing)
        case acknowledge(epoch: UInt64, instance: UInt64, AcknowledgementOutcome)
        case askAccount
        case remember(ParticipationMemory.Contents)
    }
}
