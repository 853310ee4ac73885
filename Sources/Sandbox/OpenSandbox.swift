import Checkpoints
import Glibc
import LinuxSystem
import Processes
import Synchronization
import Wiping

/// What the levels without namespaces have instead of a view of their own: a home folder of its own, which is emptied when
/// the program has ended, and a bus through a proxy. The program can look past both.
final class OpenSandbox: Sendable {
    let program: ConfinedProgram
    let environment: [String: String]
    let note: SandboxNotes.Entry
    let proxy: BusProxy?
    private let home: String?
    /// The task that ends the program and the one that notices that it has ended close this at the same time; a folder that
    /// is emptied twice at once would look replaced to the slower one.
    private let emptying = Mutex<Void>(())

    private init(
        _ program: ConfinedProgram, environment: [String: String], note: SandboxNotes.Entry, proxy: BusProxy?,
        home: String?
    ) {
        self.program = program
        self.environment = environment
        self.note = note
        self.proxy = proxy
        self.home = home
    }

    static func make(
        _ program: ConfinedProgram, _ surroundings: Surroundings, launcher: Launcher, note: SandboxNotes.Entry,
        limit: TimeLimit
    ) async throws(LaunchFault) -> OpenSandbox {
        if program.seesEverything {
            let environment = surroundings.environment.merging(program.environment) { $1 }
            return OpenSandbox(program, environment: environment, note: note, proxy: nil, home: nil)
        }
        guard program.sharesNetwork else { throw .failed("this system gives it no network of its own") }
        let home = note.path + ".home"
        try furnish(home, program, surroundings)
        let proxy: BusProxy?
        do throws(LaunchFault) {
            proxy = try await BusProxy.start(program, surroundings, socket: note.path, launcher: launcher, limit: limit)
        } catch {
            _ = empty(home, limit: TimeLimit(.seconds(5)))
            throw error
        }
        var environment = surroundings.base(home: home, runtime: home + "/run", temporary: home + "/tmp")
        if program.seesDisplay { environment.merge(DisplayAccess(surroundings, runtime: nil).environment) { $1 } }
        if let socket = proxy?.sockets.session { environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + socket }
        if let socket = proxy?.sockets.system { environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=" + socket }
        environment.merge(program.environment) { $1 }
        return OpenSandbox(program, environment: environment, note: note, proxy: proxy, home: home)
    }

    /// Makes the folder; what is shared of the user's home is linked there.
    private static func furnish(
        _ home: String, _ program: ConfinedProgram, _ surroundings: Surroundings
    ) throws(LaunchFault) {
        for folder in [home, home + "/run", home + "/tmp"] {
            guard mkdir(folder, 0o700) == 0 else { throw .failed("no home folder can be made: \(reason(errno))") }
        }
        for share in program.shares {
            let inside = share.shown
            guard lies(inside, in: surroundings.home) else {
                // Everything outside of the home is where it always is.
                if inside == share.path { continue }
                throw .failed("\(share.path) cannot be shown at another place on this system")
            }
            var folder = home
            let parts = inside.dropFirst(surroundings.home.count).split(separator: "/")
            for part in parts.dropLast() {
                folder += "/" + part
                mkdir(folder, 0o700)
            }
            guard let last = parts.last, symlink(share.path, folder + "/" + last) == 0 else {
                throw .failed("\(share.path) cannot be shown: \(reason(errno))")
            }
        }
    }

    /// When nothing runs any more: nil, or what is left.
    func close(limit: TimeLimit) async -> String? {
        if let proxy, await !proxy.end(limit: limit) {
            return "\(program.name): its way to the bus did not end in time"
        }
        checkpoint("sandbox: before its folder is emptied")
        if let home {
            let problem = await OwnThread.run(limit: limit) { [self] in
                emptying.withLock { _ in Self.empty(home, limit: limit) ?? "" }
            }
            if problem != "" { return "\(program.name): \(problem ?? "its folder was not emptied in time")" }
        }
        checkpoint("sandbox: before its note is removed")
        note.remove()
        return nil
    }

    static func empty(_ home: String, limit: TimeLimit) -> String? {
        let report = Wipe(root: home).perform(limit: limit)
        guard report.isEmpty else {
            return report.problems.first.map { "\($0.path): \($0.reason)" } ?? "its folder is not empty"
        }
        return rmdir(home) == 0 || errno == ENOENT ? nil : "its folder: \(reason(errno))"
    }
}
