import DBus
import Testimony

@testable import Journal

/// Rounds of scripted terminals with all their kills, one after the other.
struct KillMatrix {
    private let folder: String
    private let rounds = Ticks()
    /// One app says that it cannot clear.
    let isFailing: Bool

    /// - Parameter folder: Where the supervisors leave their mark.
    init(failing: Bool = false, folder: String = "/nonexistent") {
        isFailing = failing
        self.folder = folder
    }

    /// What came of one round.
    struct Round: Sendable {
        /// The steps at which lives ended.
        var kills: [String]
        var faults: [String]
        /// How many writes went wrong.
        var diskFaults: Int
    }

    func round(_ orders: [Int], _ disk: ScriptedDisk = ScriptedDisk(), on thread: BusThread) async -> Round {
        // One of its own: a supervisor that was thrown away may still leave its mark.
        let marker = Marker("\(folder)/marker-\(rounds.next())")
        let terminal = ScriptedTerminal(on: thread, disk, failing: isFailing, marker: marker)
        await terminal.round(orders)
        return Round(
            kills: await terminal.kills, faults: await terminal.testimony.faults, diskFaults: disk.faultsMade)
    }

    /// One kill at each step, until none is due any more.
    func singles(
        _ disk: () -> ScriptedDisk = { ScriptedDisk() }, _ visit: (_ step: Int, Round) -> Bool
    ) async throws {
        let thread = try BusThread()
        for step in 1... {
            let round = await round([step], disk(), on: thread)
            guard visit(step, round), !round.kills.isEmpty else { return }
        }
    }

    /// Each step, and after it each step of the life that follows.
    ///
    /// - Returns: How many pairs there are.
    func pairs(_ visit: (_ orders: [Int], Round) -> Bool) async throws -> Int {
        var count = 0
        for first in 1... {
            // Of each supervisor that was thrown away a thread keeps an alarm for a while.
            let thread = try BusThread()
            for second in 1... {
                let round = await round([first, second], on: thread)
                guard visit([first, second], round), !round.kills.isEmpty else { return count }
                guard round.kills.count == 2 else { break }
                count += 1
            }
        }
        return count
    }
}
