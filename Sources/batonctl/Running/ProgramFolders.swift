import LinuxSystem
import Wiping

/// The folders that hold what a program has of a worker.
struct ProgramFolders: Sendable {
    struct Refused: Error {
        var text: String
    }

    private let wipes: [Wipe]

    var isEmpty: Bool { wipes.isEmpty }

    /// - Throws: `Refused` for what could not be wiped whatever happens, such as the home folder.
    init(wipe folders: [String], keep: [String]) throws(Refused) {
        let roots = folders.map(AbsolutePath.of)
        let kept = keep.map(AbsolutePath.of)
        for path in kept where !roots.contains(where: { path.hasPrefix($0 + "/") }) {
            throw Refused(text: Text.Run.keptElsewhere(path))
        }
        let all = roots.map { root in Wipe(root: root, keep: kept.filter { $0.hasPrefix(root + "/") }) }
        for wipe in all {
            if let reason = wipe.refusal { throw Refused(text: Text.Run.cannotWipe(wipe.root, reason)) }
        }
        wipes = Wipe.outermost(all)
    }

    /// Empties all of them and looks that they are empty.
    func clear(limit: TimeLimit) async -> [WipeReport] {
        await withTaskGroup(of: (Int, WipeReport).self) { group in
            for (position, wipe) in wipes.enumerated() {
                group.addTask { (position, await wipe.run(limit: limit)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
