import Glibc
import LinuxSystem
public import Processes
public import Sandbox
import WebSocket

/// Starts Firefox in a sandbox with a network of its own, remote-controlled through a descriptor.
///
/// Needs socat (inside the sandbox) and slirp4netns.
public struct FirefoxMaker: BrowserMaker {
    public typealias Start = @Sendable (ConfinedProgram) async throws(LaunchFault) -> any Confinement

    /// Firefox shows a window as soon as it runs.
    public let canWait = false

    private let start: Start
    private let launcher: Launcher
    private let folder: String
    private let profile: String?
    private let shares: [ConfinedProgram.Share]
    private let hasDisplay: Bool
    private let size: (width: Int, height: Int)?
    private let reachesLoopback: Bool
    private let patience: Duration

    /// - Parameters:
    ///   - start: Starts a program in a sandbox.
    ///   - folder: Of the agent, readable inside sandboxes; a file with the name server's address is put there.
    ///   - profile: A folder whose files each new profile starts with, such as a `cert9.db` with the site's own authorities.
    ///   - shares: More to be shown inside.
    ///   - hasDisplay: False: no window at all.
    ///   - size: Of the screen; nil: a window manager sees to the windows' size.
    ///   - reachesLoopback: Whether 10.0.2.2 is this machine's loopback inside; for tests.
    ///   - patience: How long a start may take.
    public init(
        start: @escaping Start, launcher: Launcher, folder: String, profile: String? = nil,
        shares: [ConfinedProgram.Share] = [], hasDisplay: Bool = true,
        size: (width: Int, height: Int)? = nil, reachesLoopback: Bool = false, patience: Duration = .seconds(30)
    ) {
        self.start = start
        self.launcher = launcher
        self.folder = folder
        self.profile = profile
        self.shares = shares
        self.hasDisplay = hasDisplay
        self.size = size
        self.reachesLoopback = reachesLoopback
        self.patience = patience
    }

    public func start(_ setup: BrowserSetup, pages: any BrowserPages) async throws(BrowserFault) -> any Browser {
        let limit = TimeLimit(patience)
        let (confinement, wire, running) = try await launch(setup)
        var network: PrivateNetwork?
        do throws(BrowserFault) {
            guard await FirefoxChannel.byte(from: running, limit: limit) else {
                let why = setup.user == nil ? nil : PrivateNetwork.missingDevice(forOthers: true)
                throw .notStarted(why ?? "its sandbox ended at once")
            }
            // That of a turn's user has connected itself.
            if setup.user == nil { network = try await connect(confinement, limit) }
            let session = BiDiSession(on: try await open(wire, limit))
            let firefox = Firefox(confinement, network: network, session: session, setup: setup, pages: pages)
            do {
                try await firefox.begin(limit)
            } catch {
                _ = await firefox.end(limit: TimeLimit(.seconds(3)))
                throw error
            }
            return firefox
        } catch {
            var fault = error
            // What it misses first, such as its network or the wire, breaks a moment before its end is seen.
            if case .notStarted(let why) = error,
                let status = await confinement.status(within: TimeLimit(.milliseconds(500)))
            {
                fault = .notStarted("\(why); it had ended with status \(status)")
            }
            _ = await confinement.end(limit: TimeLimit(.seconds(3)))
            _ = await network?.end(limit: TimeLimit(.seconds(1)))
            throw fault
        }
    }

    public func version(_ executable: String) async -> String? {
        let asking = ToolRun(
            [executable, "--version"], environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"])
        guard case .ended(_, let text)? = try? await asking.run(by: launcher, limit: TimeLimit(.seconds(10))),
            let name = text.firstRange(of: "Firefox ")
        else { return nil }
        return String(text[name.lowerBound...].prefix { $0 != "\n" })
    }

    /// Our copies of what the sandbox holds end with this: when the sandbox ends, so does the wire.
    private func launch(
        _ setup: BrowserSetup
    ) async throws(BrowserFault) -> (any Confinement, wire: Descriptor, running: Descriptor) {
        let nameServers = try writeNameServers()
        guard
            let inside = FirefoxProgram(
                setup, nameServers: nameServers, profile: profile, hasDisplay: hasDisplay, size: size,
                shares: shares)
        else { throw .notStarted("no descriptors left") }
        do {
            return (try await start(inside.program), inside.wire, inside.running)
        } catch {
            throw .notStarted("\(error)")
        }
    }

    private func connect(_ confinement: any Confinement, _ limit: TimeLimit) async throws(BrowserFault)
        -> PrivateNetwork
    {
        do {
            return try await PrivateNetwork.attach(
                to: confinement.process, reachesLoopback: reachesLoopback, launcher: launcher, limit: limit)
        } catch {
            throw .notStarted("\(error)")
        }
    }

    private func open(_ wire: Descriptor, _ limit: TimeLimit) async throws(BrowserFault) -> WebSocket {
        let own = fcntl(wire.raw, F_DUPFD_CLOEXEC, 3)
        guard own >= 0 else { throw .notStarted("no descriptors left") }
        do {
            return try await WebSocket.open(
                on: own, host: "127.0.0.1:\(FirefoxProgram.port)", path: "/session", limit: limit.left)
        } catch {
            throw .notStarted("it does not answer on its debugging port: \(error)")
        }
    }

    /// bwrap can only show a file that lies somewhere.
    private func writeNameServers() throws(BrowserFault) -> String {
        let path = folder + "/firefox-resolv.conf"
        let file = Descriptor(owning: Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644))
        let text = Array("nameserver \(TurnNetwork.nameServer)\n".utf8)
        guard file.raw >= 0, write(file.raw, text, text.count) == text.count else {
            throw .notStarted("\(path) cannot be written")
        }
        return path
    }
}
