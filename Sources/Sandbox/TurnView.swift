import TurnControl

/// What an app of a turn sees in its unit, where files are its own already. The apps of a turn have one user: each sees no processes
/// but its own, so that it neither signals nor traces another app's, and of what apps keep only its own part.
struct TurnView {
    private let shares: [ConfinedProgram.Share]
    private let bubblewrap: String

    init(_ shares: [ConfinedProgram.Share], _ surroundings: Surroundings) {
        // A folder comes before what is shown in it.
        self.shares = shares.sorted { $0.shown < $1.shown }
        bubblewrap = surroundings.bubblewrap
    }

    /// That command, shut in.
    func command(_ command: [String]) -> [String] {
        let kept = shares.filter(\.isWritable)
        var words = [bubblewrap, "--dev-bind", "/", "/", "--proc", "/proc"] + shares.flatMap(\.binding)
        if !kept.isEmpty { words += ["--perms", "0700", "--tmpfs", TurnFolders.kept] }
        words += [
            "--unshare-pid", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--chdir", TurnFolders.home,
            "--",
        ]
        return (kept.isEmpty ? [] : Self.making(kept.map(\.path))) + words + command
    }

    /// Makes what is not there yet, as folders. A link on the way could lead to what another app keeps: an app can have made one where
    /// it kept more before its settings were changed.
    private static func making(_ paths: [String]) -> [String] {
        let script = """
            while [ "$1" != -- ]; do
                if [ ! -e "$1" ]; then
                    mkdir -p -- "$1" || exit 1
                    echo "$1 is new; what was kept in another folder is not in it" >&2
                fi
                [ "$(realpath -- "$1")" = "$1" ] || { echo "$1 is not kept: there is a link on its way" >&2; exit 1; }
                shift
            done
            shift
            exec "$@"
            """
        return ["/bin/sh", "-c", script, "sh"] + paths + ["--"]
    }
}
