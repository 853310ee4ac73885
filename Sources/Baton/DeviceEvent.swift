public import BatonContract

/// What happens on the device, as `Device.events()` tells it.
public enum DeviceEvent: Hashable, Sendable {
    /// batond is there and this is where the device stands; what was missed since the last event follows.
    case appeared
    /// batond, or the whole bus, is gone; the device is `unknown` until it appears again.
    case vanished
    case modeChanged(DeviceMode)
    case phaseChanged(Phase)
    case signedIn(epoch: Epoch, account: Account)
    /// The worker leaves: apps clear now. `deadline` is in microseconds of CLOCK_MONOTONIC. `reason` is nil when batond, which
    /// is newer, gives one that this version does not know.
    case signingOut(epoch: Epoch, account: Account?, reason: SignOutReason?, deadline: UInt64)
    /// The turn is over. `outcome` is nil when the end itself was missed; its receipt tells.
    case signedOut(epoch: Epoch, account: Account?, outcome: Outcome?)
    /// The device will sign the worker out unless a program calls `keepSignedIn()`. `deadline` is in microseconds of
    /// CLOCK_BOOTTIME, and `reason` as with `signingOut`.
    case automaticSignOutPending(reason: SignOutReason?, deadline: UInt64)
    case automaticSignOutCancelled
}
