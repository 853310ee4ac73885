public import BatonContract

/// Who holds the device and who held it before.
public struct CurrentAccount: Hashable, Sendable, Encodable {
    /// The turn that runs, or the last one if no worker holds the device.
    public var epoch: Epoch
    /// Nil: no worker is signed in.
    public var current: Account?
    /// Nil: no worker was before, or the device does not remember.
    public var previous: Account?

    public init(epoch: Epoch, current: Account?, previous: Account?) {
        self.epoch = epoch
        self.current = current
        self.previous = previous
    }
}
