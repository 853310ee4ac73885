/// What one measurement gave, over its rounds.
struct Timings {
    let name: String
    /// What it may be at most; nil where nothing is promised.
    var target: Duration?
    /// Whether that holds for 95 of 100, and not only for the median.
    let isForMost: Bool
    private(set) var list: [Duration] = []

    init(_ name: String, target: Duration? = nil, forMost isForMost: Bool = false) {
        self.name = name
        self.target = target
        self.isForMost = isForMost
    }

    mutating func add(_ duration: Duration) { list.append(duration) }

    var median: Duration {
        let sorted = list.sorted()
        return sorted.isEmpty ? .zero : sorted[sorted.count / 2]
    }

    /// Below which 95 of 100 are.
    private var most95: Duration {
        let sorted = list.sorted()
        return sorted.isEmpty ? .zero : sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
    }

    var line: String {
        guard let least = list.min(), let most = list.max() else { return "  \(name): not measured" }
        let range = "\(least.milliseconds) to \(most.milliseconds), p95 \(most95.milliseconds), \(list.count) rounds"
        guard let target else { return "  \(name): \(median.milliseconds) ms (\(range))" }
        let verdict = (isForMost ? most95 : median) <= target ? "" : "   over it"
        let goal = "target \(target.milliseconds) ms\(isForMost ? " for 95 of 100" : "")"
        return "  \(name): \(median.milliseconds) ms (\(range)), \(goal)\(verdict)"
    }
}

extension Duration {
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
