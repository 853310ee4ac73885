import BatonContract
import Logging
import Processes
import Sandbox
import TurnControl
import Vocabulary

/// The desktop of a worker's own, where the settings want one: a program of the turn like an app, which signs its worker out when it
/// ends.
extension ManagedApps {
    /// No app's id has a colon.
    static let desktopID = "desktop:"

    /// Starts the desktop that the settings name, unless it runs; a line for the worker when it cannot.
    func startDesktop(in turn: Epoch) async -> String {
        guard !desktop.command.isEmpty, running(Self.desktopID) == 0 else { return "" }
        return await start(in: turn, endsWithTurn: true) { await self.launchDesktop(turn) }
    }

    private func launchDesktop(_ turn: Epoch) async -> String {
        do throws(LaunchFault) {
            guard let user = try users.userOfTurn() else { throw .failed("turns have no users") }
            var program = ConfinedProgram(name: Self.desktopID, command: desktopCommand)
            program.environment = turnEnvironment
            if let turnKeyboard {
                // A compositor that is a client of another one has layouts of its own, which it takes from here.
                program.environment["XKB_DEFAULT_LAYOUT"] = turnKeyboard.layout
                program.environment["XKB_DEFAULT_VARIANT"] = turnKeyboard.variant
            }
            program.bus = .baton
            program.user = user
            try await run(program, isSandboxed: true, in: turn)
            return ""
        } catch {
            log.error("the desktop was not started", metadata: ["cause": "\(error)"])
            return "The desktop could not be started."
        }
    }

    /// With a session bus of its own, which ends with it, and a home that begins with the template's files.
    private var desktopCommand: [String] {
        let command = ["/usr/bin/dbus-run-session", "--"] + desktop.command
        guard !desktop.home.isEmpty else { return command }
        let script = """
            cp -R --preserve=mode,timestamps -- "$1/." "$HOME/" || echo "not all of $1 is in the worker's home" >&2
            shift
            exec "$@"
            """
        return ["/bin/sh", "-c", script, "sh", desktop.home] + command
    }

    /// It was closed, or it crashed: in either case nothing is left that the worker could use.
    func desktopEnded(in turn: Epoch) async {
        guard gate.admits(turn) else { return }
        log.notice("the desktop has ended", metadata: ["epoch": "\(turn)"])
        _ = await link.signOut(.user, epoch: turn)
    }
}
