import Glibc
import LinuxSystem
import TurnControl

/// The Unix users of turns: whether browsers run as them, and whether something is left of one.
enum TurnLook {
    static func findings() -> [Finding] {
        let users = TurnNumber.all.compactMap { number in UserAccount(named: number.user).map { (number, $0.id) } }
        let enabled = users.filter { access("\(TurnStarter.folder)/\($0.0)", F_OK) == 0 }
        guard !enabled.isEmpty else { return [.ok("turns", Text.Doctor.turnsAreOff)] }
        let unclean = enabled.compactMap { number, uid -> Finding? in
            let left = residue(of: number, uid)
            return left.isEmpty
                ? nil : .warning("turns", Text.Doctor.turnIsOut(number, left), Text.Doctor.cleanTurn(number))
        }
        guard unclean.count < enabled.count else {
            return [.wrong("turns", Text.Doctor.allTurnsAreOut, Text.Doctor.rebootForTurns)] + unclean
        }
        // Units of an earlier version had none.
        guard enabled.allSatisfy({ access("\(TurnStarter.folder)/\($0.0).keep", F_OK) == 0 }) else {
            return [.wrong("turns", Text.Doctor.turnsKeepNothing, Text.Doctor.restartTurns)] + unclean
        }
        return unclean.isEmpty ? [.ok("turns", Text.Doctor.turnsAreOn(enabled.count))] : unclean
    }

    /// What runs in the slice is the worker's, or shows the start page; batond ends it.
    private static func residue(of number: TurnNumber, _ uid: UInt32) -> [TurnResidue] {
        let left = TurnResidue.look(for: uid, named: number.user)
        guard TurnSlice(number).population() == .populated else { return left }
        return left.filter { if case .processes = $0 { false } else { true } }
    }
}
