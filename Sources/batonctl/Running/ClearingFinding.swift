import Baton
import DBus
import Wiping

/// What a clearing found, in the receipt's words.
struct ClearingFinding {
    /// There was a program to end.
    let isProgramEnded: Bool
    var proof: Proof?
    /// Why its end is not proven.
    var running: String?
    private(set) var removed = 0
    private var wipes: [WipeReport] = []

    init(isProgramEnded: Bool) { self.isProgramEnded = isProgramEnded }

    /// The last look at each folder counts.
    mutating func add(_ reports: [WipeReport]) {
        removed += reports.reduce(0) { $0 + $1.removed }
        wipes = reports
    }

    /// Something is left that more time would have removed.
    var isLate: Bool {
        wipes.contains { wipe in !wipe.isEmpty && wipe.problems.contains { $0.reason == WipeReport.ranOut } }
    }

    /// Nil: everything is gone, and was looked for.
    var problem: String? {
        let problems = [running].compactMap(\.self) + wipes.compactMap(\.explanation)
        return problems.isEmpty ? nil : problems.joined(separator: "; ")
    }

    var details: VariantDictionary {
        var result: VariantDictionary = ["removed": .uint64(UInt64(clamping: removed))]
        if let proof, running == nil { result["proof"] = .string(proof.rawValue) }
        // A name can be long, and a receipt keeps little.
        if let problem { result["problem"] = .string(String(problem.prefix(1000))) }
        return result
    }
}
