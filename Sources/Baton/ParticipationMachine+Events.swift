import BatonContract

/// What happens to one who takes part, and what is to be done about it.
extension ParticipationMachine {
    /// What the app is to be told when it has to clear.
    struct Clearing: Hashable, Sendable {
        /// 0: a turn that the device does not know any more.
        var epoch: Epoch
        var account: Account?
        /// Nil: batond gave one that is not known here.
        var reason: SignOutReason?
        /// Microseconds of CLOCK_MONOTONIC; 0: none.
        var deadline: UInt64
    }

    enum Event: Hashable, Sendable {
        /// What the bus says is there now: the daemon's journal.
        case appeared(journalID: String)
        case vanished
        case registered(instance: Instance, epoch: Epoch, phase: Phase, clearThrough: Epoch, account: Account?)
        case signedIn(epoch: Epoch, account: Account)
        case signingOut(Clearing)
        case signedOut(epoch: Epoch)
        /// The app's function returned.
        case delivered
        case cleared(AcknowledgementOutcome)
        case acknowledged(epoch: Epoch, instance: Instance, Reception)
        /// The answer to `askAccount`; nil account: no worker is signed in.
        case account(epoch: Epoch, Account?)
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
        case deliver(epoch: Epoch, Account)
        /// The app is still busy with the sign-in, and the worker leaves.
        case cancelDelivery
        case clear(Clearing)
        case acknowledge(epoch: Epoch, instance: Instance, AcknowledgementOutcome)
        case askAccount
        case remember(ParticipationMemory.Contents)
    }
}
