public import Baton
import FolderTesting
import Glibc
public import ProviderTesting
public import TerminalTesting

/// A whole kiosk: display, bus, real batond and agent with a real browser, a provider, and a site that keeps what it can.
public final class KioskTerminal: Sendable {
    public let terminal: Terminal
    /// Where its programs find the display.
    public let display: [String: String]
    public let site: TestSite
    public let provider: DevelopmentProviderProcess
    public let daemon: Program
    public let device: Device
    private let server: any Sendable
    /// Whose memory is not asked about: this program, the provider, and the X server, which only overwrites as far as a client
    /// can have it do so (`XMemoryTests`).
    public let others: Set<Int32>
    /// Its files are needed as long as the provider is.
    private let authority: TestCertificateAuthority

    /// Where the worker's first page waits for the test's orders.
    public static let page = "worker"
    private static let address = "https://baton.invalid"

    private init(
        _ terminal: Terminal, _ display: [String: String], _ server: any Sendable, _ site: TestSite,
        _ provider: DevelopmentProviderProcess,
        _ daemon: Program, _ device: Device, _ authority: TestCertificateAuthority
    ) {
        self.authority = authority
        self.terminal = terminal
        self.display = display
        self.server = server
        let display = (server as? VirtualDisplay)?.pid
        others = Set([getpid(), provider.program.pid, display].compactMap(\.self))
        self.site = site
        self.provider = provider
        self.daemon = daemon
        self.device = device
    }

    /// - Parameters:
    ///   - browser: More keys of the section `browser`.
    ///   - settings: Other sections.
    ///   - provider: Further arguments of baton-devidp.
    ///   - identity: More keys of the section `identity`.
    ///   - wait: For how long a sign-out waits for the provider's answer.
    ///   - compositor: Nil: an X server of its own.
    ///   - environment: More variables of batond.
    public static func start(
        browser: [String] = [], settings: String = Terminal.patient, apps: [String: String] = [:],
        provider arguments: [String] = [], identity: [String: String] = [:], wait: String = "9s",
        on compositor: HeadlessCompositor? = nil,
        environment: (Terminal) -> [String: String] = { _ in [:] }
    ) async throws -> KioskTerminal {
        let authority = try await TestCertificateAuthority(names: TestSite.certificateNames)
        let site = try await TestSite.start(authority)
        let provider = try await DevelopmentProviderProcess.start(
            [
                "--client", "baton", "--redirect-uri", "\(address)/signed-in", "--post-logout-redirect-uri",
                "\(address)/signed-out", "--frontchannel-logout-uri", "\(address)/front-channel-logout",
            ] + arguments, certificateAuthority: authority)
        let (display, server) = try display(compositor)
        let terminal = try Terminal(settings: "", accounts: false, apps: apps)
        try await NSSStore.make(inHome: "\(terminal.folder)/home", authority)
        let keys =
            [
                "kind: chromium", "start-page: \"\(site.standbyAddress(page))\"",
                "arguments: [\"\(TestSite.chromiumArguments().joined(separator: "\", \""))\"]",
            ] + browser
        try terminal.configure(
            """
            identity:
              {kind: oidc, authority: "\(provider.issuer)", client-id: baton, ca-file: "\(authority.caFile)",
              sign-out-wait: \(wait)\(identity.map { ", \($0): \($1)" }.joined())}
            browser:
            \(keys.map { "  " + $0 }.joined(separator: "\n"))
            \(settings)
            """, accounts: false)
        let daemon = try terminal.run(
            ["batond", "--session"], environment: display.merging(environment(terminal)) { $1 })
        try await daemon.line(containing: "] ready")
        try await daemon.line(containing: "the agent has registered")
        return KioskTerminal(
            terminal, display, server, site, provider, daemon, try await terminal.device(), authority)
    }

    private static func display(_ compositor: HeadlessCompositor?) throws -> ([String: String], any Sendable) {
        guard let compositor else {
            let display = try VirtualDisplay()
            return (["DISPLAY": display.display], display)
        }
        // The terminal has a runtime folder of its own.
        return (["DISPLAY": "", "WAYLAND_DISPLAY": compositor.socket], compositor)
    }

    /// A worker signs in through the provider's pages in the browser of the terminal.
    @discardableResult
    public func signIn(_ account: ProviderAccount) async throws -> Epoch {
        try await provider.signInNext(account)
        return try await device.signIn(ProviderSignIn()) { _ in }.epoch
    }

    /// The worker's page leaves its token in every kind of state.
    public func seed(_ token: String) async throws -> Seeding {
        try await site.send(Self.page, to: site.seedAddress(token))
        return try await site.seeding(token)
    }

    /// What a page finds of others.
    ///
    /// - Parameter page: Which page goes to look; after `seed` it is called `seed TOKEN`.
    public func look(_ run: String, from page: String = KioskTerminal.page) async throws -> [StateKind: String] {
        try await site.send(page, to: site.lookAddress(run))
        return try await site.report(run: run)
    }

    /// The agent that serves now; `count` is which registration it is.
    public func agent(_ count: Int = 1) async throws -> AgentProcess {
        try await AgentProcess(of: daemon, on: terminal, count: count)
    }

    /// Waits until somebody may sign in, asking: an agent's or supervisor's death announces nothing. As somebody would who
    /// stands before a device that ran out of time, it asks that one to try again.
    ///
    /// - Throws: The last receipt's words when the device stays in quarantine.
    public func waitUntilReady() async throws {
        var quarantined: ContinuousClock.Instant?
        while true {
            let phase = try? await device.deviceInformation().phase
            if phase == .ready { return }
            if phase != .quarantined { quarantined = nil } else if quarantined == nil { quarantined = .now }
            if let quarantined, quarantined.duration(to: .now) > .seconds(90) {
                let receipt = try await device.receipts(newest: 1).first
                throw StillQuarantined(
                    description: "quarantined: \(receipt?.explanation ?? "") \(receipt?.browserExplanation ?? "")")
            }
            if phase == .quarantined { _ = try? await device.signOut() }
            try await Task.sleep(for: .milliseconds(phase == .quarantined ? 1000 : 20))
        }
    }

    private struct StillQuarantined: Error, CustomStringConvertible {
        var description: String
    }

    /// The browsers' processes: of this user, in a pid namespace that is not ours, or on the way into one.
    public static func browserProcesses() -> [Int32] {
        let own = namespace(of: getpid())
        return names(in: "/proc").compactMap { Int32($0) }.filter { pid in
            guard let other = namespace(of: pid), other != own else { return false }
            return true
        }
    }

    private static func namespace(of pid: Int32) -> String? {
        var buffer = [CChar](repeating: 0, count: 64)
        let count = readlink("/proc/\(pid)/ns/pid", &buffer, 63)
        return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
