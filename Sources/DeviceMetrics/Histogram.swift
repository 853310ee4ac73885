/// How often something took how long, in microseconds.
package struct Histogram: Hashable, Sendable {
    /// Ascending.
    private let bounds: [UInt64]
    /// Of what took longer than the bound before and no longer than this one; the last has no bound.
    private var counts: [UInt64]
    package private(set) var sum: UInt64 = 0

    package init(bounds: [UInt64]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    package mutating func observe(_ microseconds: UInt64) {
        counts[bounds.firstIndex { microseconds <= $0 } ?? bounds.count] &+= 1
        let (total, overflow) = sum.addingReportingOverflow(microseconds)
        sum = overflow ? .max : total
    }

    package var count: UInt64 { counts.reduce(0, &+) }

    /// How many took no longer than the bound, for each bound; nil: all.
    package var buckets: [(bound: UInt64?, count: UInt64)] {
        var total: UInt64 = 0
        return zip(bounds.map(Optional.some) + [nil], counts).map { bound, count in
            total &+= count
            return (bound, total)
        }
    }
}
