import Clearing
import Display
import Processes
import Sandbox
public import Vocabulary

/// What an agent could do in this session, looked at without a supervisor and before the first worker.
public struct DesktopSessionCheck: Sendable {
    /// `x11`, `wayland`, or empty without a display.
    public let display: String
    /// How well it can be proven that something ended: `namespace`, `cgroup`, `tree` or `pid`.
    public let proof: Proof
    /// What cannot be covered, cleared or shut in here, and what to do about it.
    public let warnings: [String]

    public init() async {
        let launcher = Launcher()
        let surroundings = Surroundings()
        let confiner = await Confiner.detect(surroundings, launcher: launcher)
        let screen = await SessionDisplay(environment: surroundings.environment)
        var warnings = await screen.warnings()
        let clipboard = ClipboardHolder(environment: surroundings.environment, launcher: launcher)
        if let warning = await clipboard.warning(), !warnings.contains(warning) { warnings.append(warning) }
        if let weakness = confiner.weakness { warnings.append(weakness) }
        display = screen.kind
        proof = confiner.proof
        self.warnings = warnings
    }
}

extension Confiner {
    /// What its way of shutting programs in does not give; nil: nothing is missing.
    var weakness: String? {
        guard proof != .namespace else { return nil }
        let why = obstacle.map { " (\($0))" } ?? ""
        return "no pid namespaces\(why): programs are confined by \(proof.rawValue) and see this user's files"
    }
}
