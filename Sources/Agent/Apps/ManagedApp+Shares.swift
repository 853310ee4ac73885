import BatonContract
import Sandbox
import TurnControl

extension AgentConfiguration.ManagedApp {
    /// What it sees of the agent's home.
    func shares(ofHome home: String) -> [ConfinedProgram.Share] {
        func expanded(_ path: String) -> String { path.hasPrefix("~/") ? home + path.dropFirst() : path }
        return keep.map { .init(expanded($0), isWritable: true) } + readOnly.map { .init(expanded($0)) }
    }

    /// What it sees of its home as a turn's user, which the agent's home is not open to.
    var sharesInTurn: [ConfinedProgram.Share] {
        func shares(_ paths: [String], of folder: String, isWritable: Bool) -> [ConfinedProgram.Share] {
            // All of them begin with ~/, which the settings see to.
            paths.filter { $0.hasPrefix("~/") }.map { path in
                let rest = path.dropFirst()
                return .init("\(folder)/\(id)\(rest)", as: TurnFolders.home + rest, isWritable: isWritable)
            }
        }
        return shares(keep, of: TurnFolders.kept, isWritable: true)
            + shares(readOnly, of: TurnFolders.readOnly, isWritable: false)
    }
}
