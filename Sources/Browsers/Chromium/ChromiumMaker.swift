import CLinux
import Glibc
import LinuxSystem
public import Processes
public import Sandbox

/// Starts Chromium browsers.
public final class ChromiumMaker: BrowserMaker {
    public typealias Start = @Sendable (ConfinedProgram) async throws(LaunchFault) -> any Confinement

    /// How long a browser may take until its first answer: a slow device starts slowly.
    static let slowestStart = Duration.seconds(20)

    private let start: Start
    private let environment: [String: String]
    private let patience: Duration
    private let passed = ChromiumTrial.Passed()

    /// - Parameters:
    ///   - start: Starts a program in a sandbox; it keeps no descriptor of it.
    ///   - environment: HOME, and DISPLAY or WAYLAND_DISPLAY; without a display browsers draw nothing.
    ///   - patience: How long it may take until its first request is seen.
    public init(
        start: @escaping Start, environment: [String: String]? = nil, patience: Duration = .seconds(20)
    ) {
        self.start = start
        self.environment = environment ?? Self.ownEnvironment()
        self.patience = patience
    }

    public var canWait: Bool { true }

    public func start(_ setup: BrowserSetup, pages: any BrowserPages) async throws(BrowserFault) -> any Browser {
        guard let file = Self.identity(setup.executable) else {
            throw .notStarted(LaunchFault.missing(setup.executable).description)
        }
        let trial = ChromiumTrial(passed: passed, program: file, address: setup.address, limit: patience)
        let display = ChromiumArguments.Display(environment: environment)
        do {
            guard let rules = RequestRules(setup) else { throw BrowserFault.notStarted("no virtual address") }
            let (confinement, link) = try await startProgram(setup, display)
            do {
                let traffic = ChromiumTraffic(
                    link, rules: rules, pages: pages, browser: ObjectIdentifier(confinement.process))
                try link.start {
                    traffic.handle($0)
                } ended: {
                    traffic.end()
                }
                try await link.call(GetVersion(), limit: Self.slowestStart)
                try await link.call(SetDiscoverTargets())
                try await link.call(EnableFetch(patterns: rules.patterns))
                try await link.call(SetDownloadBehavior())
                return Chromium(confinement, link, traffic, trial)
            } catch {
                await abandon(confinement, link)
                throw error
            }
        } catch let fault as BrowserFault {
            throw fault
        } catch {
            throw .notStarted("\(error)")
        }
    }

    public func version(_ executable: String) async -> String? {
        // Its output goes to a pipe of ours, in a sandbox as everything that it does; the last line also ends a failure, and
        // the program stays until it is ended.
        var program = ConfinedProgram(
            name: "chromium",
            command: ["/bin/sh", "-c", #"exec 2>/dev/null; "$0" --version >&3; echo >&3; sleep 60"#, executable])
        program.seesDisplay = false
        guard let (read, write) = Descriptor.pipe() else { return nil }
        program.descriptors = [3: write]
        guard let confinement = try? await start(program) else { return nil }
        let limit = TimeLimit(Self.slowestStart)
        let line = await OwnThread.run(limit: limit) { Self.line(from: read, limit: limit) } ?? ""
        _ = await confinement.end(limit: TimeLimit(.seconds(3)))
        let words = line.split(separator: " ").prefix(2)
        return words.count == 2 ? words.joined(separator: " ") : nil
    }

    private func startProgram(
        _ setup: BrowserSetup, _ display: ChromiumArguments.Display
    ) async throws(BrowserFault) -> (any Confinement, ChromiumLink) {
        let command = try ChromiumArguments.command(
            setup.executable, display: display, further: setup.arguments)
        guard let toBrowser = Descriptor.pipe(), let fromBrowser = Descriptor.pipe(),
            let channel = PipeChannel(reading: fromBrowser.read, writing: toBrowser.write)
        else { throw .notStarted("no descriptors left") }
        var program = ConfinedProgram(name: "chromium", command: command)
        program.descriptors = [3: toBrowser.read, 4: fromBrowser.write]
        program.seesDisplay = display != .none
        program.user = setup.user
        // The certificates of the organisation's own authorities.
        let home = environment["HOME"] ?? ""
        let authorities = home + "/.pki/nssdb"
        if home.hasPrefix("/"), access(authorities, R_OK | X_OK) == 0 {
            program.shares.append(
                ConfinedProgram.Share(authorities, as: "\(home)/\(ChromiumArguments.authorities)"))
        }
        do {
            return (try await start(program), ChromiumLink(channel))
        } catch {
            throw .notStarted(error.description)
        }
    }

    private func abandon(_ confinement: any Confinement, _ link: ChromiumLink) async {
        link.close()
        _ = await confinement.end(limit: TimeLimit(.seconds(3)))
    }

    /// Another file after an update of the package.
    private static func identity(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, access(path, X_OK) == 0 else { return nil }
        return "\(path) \(status.st_dev) \(status.st_ino) \(status.st_mtim.tv_sec) \(status.st_size)"
    }

    /// The first line; blocks.
    private static func line(from descriptor: Descriptor, limit: TimeLimit) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        var item = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        while !limit.isOver, bytes.count < 200 {
            guard poll(&item, 1, limit.milliseconds(cap: 100)) > 0 else { continue }
            guard read(descriptor.raw, &byte, 1) == 1, byte != UInt8(ascii: "\n") else { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func ownEnvironment() -> [String: String] {
        var result: [String: String] = [:]
        for name in ["HOME", "DISPLAY", "WAYLAND_DISPLAY"] {
            if let value = getenv(name) { result[name] = String(cString: value) }
        }
        return result
    }
}
