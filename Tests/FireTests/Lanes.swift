/// Terminals that are worked on beside each other, since a round waits more than it works.
enum Lanes {
    private static let count = 3

    /// Does the rounds 0, 1, 2 and so on, as many as there are, or until one says that its kill was never due.
    ///
    /// - Returns: How many said that they were killed.
    static func run(
        _ rounds: Int = .max, untilNotDue: Bool = false,
        _ round: @escaping @Sendable (FireTerminal, Int) async throws -> Bool
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for lane in 0..<count {
                group.addTask {
                    let fire = try await FireTerminal()
                    var killed = 0
                    for place in stride(from: lane, to: rounds, by: count) {
                        let wasKilled = try await round(fire, place)
                        if wasKilled { killed += 1 } else if untilNotDue { break }
                        // One fault is told; those that follow from it are not.
                        if !fire.witness.faults.isEmpty { break }
                    }
                    await fire.end()
                    return killed
                }
            }
            return try await group.reduce(0, +)
        }
    }
}
