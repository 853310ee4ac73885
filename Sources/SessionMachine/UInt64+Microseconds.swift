extension UInt64 {
    /// Deadlines come from settings and peers, so adding to them must not trap.
    public func adding(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    public func subtracting(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }

    /// Microseconds as seconds, for people.
    var seconds: String {
        let tenths = (self / 100_000) % 10
        return tenths == 0 ? "\(self / 1_000_000)" : "\(self / 1_000_000).\(tenths)"
    }
}
