import Glibc
import Synchronization
import TerminalTesting
import Testing

/// Terminals that are worked on beside each other, since a round waits more than it works.
enum Lanes {
    private static let count = 3

    /// Does the steps 1, 2, 3 and so on, each with a terminal of its own, until one says that its kill was never due.
    static func each(untilNotDue step: @escaping @Sendable (Int) async throws -> Bool) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 1...count {
                group.addTask {
                    var number = lane
                    while try await step(number) { number += count }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Does the rounds 0, 1, 2 and so on, as many as there are, or until one says that its kill was never due.
    ///
    /// - Parameter progress: That of rounds that consist of several, which count themselves.
    /// - Returns: How many said that they were killed.
    static func run(
        _ rounds: Int = .max, untilNotDue: Bool = false,
        progress: Progress? = nil, _ round: @escaping @Sendable (FireTerminal, Int) async throws -> Bool
    ) async throws -> Int {
        let own = progress == nil ? Progress(of: rounds) : nil
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for lane in 0..<min(count, rounds) {
                group.addTask {
                    let fire = try await FireTerminal()
                    var killed = 0
                    for place in stride(from: lane, to: rounds, by: count) {
                        let wasKilled = try await round(fire, place)
                        own?.step()
                        if wasKilled { killed += 1 } else if untilNotDue { break }
                        // One fault is told; those that follow from it are not.
                        if !fire.faults.isEmpty { break }
                    }
                    let before = fire.faults.count
                    await fire.end()
                    #expect(fire.faults.count == before, "\(fire.faults)")
                    return killed
                }
            }
            return try await group.reduce(0, +)
        }
    }
}

extension Progress {
    /// One line of its own, at the end of something.
    func say(_ text: String) {
        guard Soak.isOn else { return }
        print(text)
        fflush(nil)
    }
}

/// Says from time to time how far a long run has come, in one that takes hours.
final class Progress: Sendable {
    /// Nil: nobody knows before the end.
    private let whole: Int?
    private let done = Atomic(0)

    init(of whole: Int?) { self.whole = whole }

    func step() {
        let count = done.add(1, ordering: .relaxed).newValue
        guard Soak.isOn, count.isMultiple(of: 100) || count == whole else { return }
        print("\(count) of \(whole.map(String.init) ?? "all") rounds")
        fflush(nil)
    }
}
