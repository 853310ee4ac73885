import CLinux
import Glibc
import LinuxSystem
import Processes

/// One xdg-dbus-proxy for one program: it lets it call what apps may call of Baton, and there is no other peer on the bus.
final class BusProxy: Sendable {
    /// Where the program finds the buses, outside.
    struct Sockets: Sendable {
        var session: String?
        var system: String?
    }

    let sockets: Sockets
    let process: ProcessHandle
    private let child: Child
    /// The proxy ends when no process reads here any more: with the agent, however it ends.
    private let lifeline: Descriptor

    private init(sockets: Sockets, child: Child, process: ProcessHandle, lifeline: Descriptor) {
        self.sockets = sockets
        self.child = child
        self.process = process
        self.lifeline = lifeline
    }

    /// Returns when its sockets listen; nil when the program gets no bus.
    static func start(
        _ program: ConfinedProgram, _ surroundings: Surroundings, socket: String, launcher: Launcher, limit: TimeLimit
    ) async throws(LaunchFault) -> BusProxy? {
        guard program.bus == .baton else { return nil }
        let buses = [("session", surroundings.sessionBus), ("system", surroundings.systemBus)]
        var words = [surroundings.busProxy, "--fd=3"]
        var sockets = Sockets()
        for (kind, address) in buses {
            guard let address else { continue }
            let path = "\(socket).\(kind)"
            unlink(path)
            words += [address, path, "--filter"] + BusRules.baton
            if kind == "session" { sockets.session = path } else { sockets.system = path }
        }
        if sockets.session == nil && sockets.system == nil { throw .failed("no bus was named") }
        guard let (lifeline, other) = Descriptor.pipe(O_NONBLOCK) else { throw .failed("no descriptors left") }
        let child = try await launcher.start(
            words, environment: ["PATH": "/usr/bin:/bin"], descriptors: [3: other])
        let isReady = await OwnThread.run { listens(lifeline, child, limit) } ?? false
        guard isReady, let process = ProcessHandle(unreaped: child) else {
            child.kill()
            _ = await child.exit(limit: TimeLimit(.seconds(5)))
            throw .failed("xdg-dbus-proxy cannot reach the bus or make its socket")
        }
        return BusProxy(sockets: sockets, child: child, process: process, lifeline: lifeline)
    }

    private static func listens(_ lifeline: Descriptor, _ child: Child, _ limit: TimeLimit) -> Bool {
        var byte: UInt8 = 0
        while true {
            let hasEnded = !child.isRunning
            if read(lifeline.raw, &byte, 1) == 1 { return true }
            if hasEnded || limit.isOver { return false }
            var items = [
                pollfd(fd: lifeline.raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: child.descriptor.raw, events: Int16(POLLIN), revents: 0),
            ]
            poll(&items, 2, limit.milliseconds(cap: 100))
        }
    }

    /// False when it is not gone within the limit.
    func end(limit: TimeLimit) async -> Bool {
        child.kill()
        guard await child.exit(limit: limit) != nil else { return false }
        for path in [sockets.session, sockets.system].compactMap(\.self) { unlink(path) }
        return true
    }
}
