import Baton
import DBus

extension Text {
    // MARK: Run

    enum Run {
        static let noCommand = "Name the program to run after --."
        static func notThere(_ program: String) -> String { "\(program.printable): there is no such program." }
        static func waits(_ program: String, on bus: BusAddress) -> String {
            "run: \(program.printable) starts when batond is running. \(waitsForDaemon(on: bus))"
        }
        static func notWritable(_ descriptor: Int32) -> String { "Descriptor \(descriptor) is not open for writing." }
        static func keptElsewhere(_ path: String) -> String { "\(path.printable) is not in a folder that is wiped." }
        static func cannotWipe(_ folder: String, _ reason: String) -> String {
            "\(folder.printable) cannot be wiped: \(reason.printable)."
        }
        static func notCleared(_ problem: String) -> String { "run: not cleared: \(problem.printable)" }
    }
}

extension Text.Help {
    static let run = "Runs a program that does not support Baton, and clears for it."
    static let runDiscussion = """
        At sign-out, batonctl ends the program and every process that it started, in a pid namespace if this machine has \
        them, else below a reaper. It then empties the folders without leaving them, checks them again, and reports the \
        result to the device. Before the program starts, batonctl clears the remains of an earlier run.

        When the program ends by itself, batonctl clears its folders at once, since it does not wait for the sign-out, and \
        exits with the program's exit code. It passes signals on to the program; a second Ctrl-C ends the program and \
        every process that it started.

        Standard output and standard error are the program's own, so --json writes its lines among those of standard error, \
        and --json-fd to a descriptor of its own, which the program does not get: an object for each event (started, ended, \
        cleared, not-cleared, postponed).

        Exit codes: the program's own, 128 plus the signal that ended it, 127 no such program, 1 something could not be \
        cleared; 0 after a sign-out with --restart never.
        """
    static let wipe = "A folder to be emptied at each sign-out; may be repeated."
    static let keep = "A file or folder in one of those that stays; may be repeated."
    static let folder = "dir"
    static let path = "path"
    static let restart = """
        always: whenever it has ended, once the device is free. at-sign-in: after a sign-out, for the next worker. never: \
        batonctl ends with the sign-out.
        """
    static let noNamespace = "Use no pid namespace; in one, a program cannot gain rights (sudo)."
    static let jsonDescriptor = "As --json, to this open descriptor instead of standard error."
    static let descriptor = "number"
    static let runCommand = "The program and its arguments, after --."
}
