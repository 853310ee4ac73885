/// The clocks at the instant of an event, each in microseconds.
public struct Moment: Hashable, Sendable {
    /// CLOCK_MONOTONIC: barrier deadlines. A suspended machine does not count.
    public let monotonic: UInt64
    /// CLOCK_BOOTTIME: automatic sign-out. A suspended machine counts.
    public let boottime: UInt64
    /// The Unix time: what people read in receipts.
    public let wall: Int64

    public init(monotonic: UInt64, boottime: UInt64, wall: Int64) {
        self.monotonic = monotonic
        self.boottime = boottime
        self.wall = wall
    }
}
