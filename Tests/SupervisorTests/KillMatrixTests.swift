import TerminalTesting
import Testing

/// The whole matrix of kills, of which FireTests does a part with real processes: the supervisor is thrown away before each
/// record, each effect and each answer of a round.
@Suite("The supervisor thrown away at every step of a round", .timeLimit(.minutes(5)))
struct KillMatrixTests {
    @Test(arguments: [false, true])
    func `what was said stays true, and the same barrier goes on`(_ isFailing: Bool) async throws {
        var names: Set<String> = []
        var steps = 0
        try await KillMatrix(failing: isFailing).singles { step, round in
            steps += round.kills.count
            names.formUnion(round.kills)
            #expect(round.faults.isEmpty, "step \(step), \(round.kills): \(round.faults)")
            return round.faults.isEmpty
        }
        print("the supervisor was thrown away at \(steps) steps")
        #expect(steps > 100)
        let missing = (Self.named + (isFailing ? ["before agent contain"] : [])).filter { beginning in
            !names.contains { $0.hasPrefix(beginning) }
        }
        #expect(missing == [], "\(names.sorted())")
    }

    @Test(arguments: [false, true])
    func `a restart that is thrown away too changes nothing of what was said`(_ isFailing: Bool) async throws {
        let pairs = try await KillMatrix(failing: isFailing).pairs { orders, round in
            #expect(round.faults.isEmpty, "steps \(orders), \(round.kills): \(round.faults)")
            return round.faults.isEmpty
        }
        print("the supervisor was thrown away at \(pairs) pairs of steps")
        #expect(pairs > 5000)
    }

    /// Each write of a round is once the one that goes wrong, with a kill at each step besides.
    @Test(arguments: ScriptedDisk.Fault.allCases)
    func `nothing is promised that a failing disk does not hold`(_ fault: ScriptedDisk.Fault) async throws {
        let terminal = try Terminal()
        let matrix = KillMatrix(folder: terminal.folder)
        var (writes, rounds) = (0, 0)
        for write in 1... {
            var faults = 0
            try await matrix.singles {
                ScriptedDisk(faultAt: write, fault)
            } _: { step, round in
                rounds += 1
                faults += round.diskFaults
                #expect(round.faults.isEmpty, "write \(write), step \(step), \(round.kills): \(round.faults)")
                return round.faults.isEmpty
            }
            guard faults > 0 else { break }
            writes += 1
        }
        print("\(writes) writes went wrong, in \(rounds) rounds")
        #expect(writes >= 6)
        #expect(rounds > 500)
    }

    /// A matrix that misses a wrong journal would miss a wrong supervisor too.
    @Test(arguments: ScriptedDisk.Mistake.allCases)
    func `a mistake in the journal is found`(_ mistake: ScriptedDisk.Mistake) async throws {
        var found: [String] = []
        try await KillMatrix().singles {
            ScriptedDisk(mistake: mistake)
        } _: { _, round in
            found = round.faults
            return found.isEmpty
        }
        #expect(!found.isEmpty)
    }

    /// Every round has these steps, in whatever order.
    private static let named = [
        "in the transaction, before began", "in the transaction, before device",
        "in the transaction, before registration",
        "in the transaction, before app", "in the transaction, before clearing", "in the transaction, before entry",
        "in the transaction, before barrier", "in the transaction, before ended",
        "in the transaction, before rosterCleared", "in the transaction, after all records", "after the transaction",
        "before publish", "before announce signedIn", "before announce signingOut", "before announce signedOut",
        "before agent signOutBrowser", "before agent clearSharedHolders", "before an answer",
        "before the answer to an acknowledgement", "the provider is asked to sign in",
        "the provider is told of the turn", "the provider is told of the sign-out",
    ]
}
