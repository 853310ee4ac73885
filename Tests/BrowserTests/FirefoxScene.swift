import Browsers
import Glibc
import KioskTesting
import LinuxSystem
import Processes
import Sandbox
import Testing

/// One at a time: each of them is a browser.
@Suite(.asOrdinaryUser, .withFirefox, .serialized, .timeLimit(.minutes(3))) enum FirefoxTests {}

/// The Firefox of this machine, in the agent's own sandbox.
enum FirefoxScene {
    static let executable = "/usr/lib/firefox-esr/firefox-esr"
    static let address = "https://baton.invalid"
    private static let launcher = Launcher()

    /// What is missing; nil: it can be run.
    static let missing: String? = [
        executable, "/usr/bin/bwrap", "/usr/bin/slirp4netns", "/usr/bin/socat", "/dev/net/tun",
    ]
    .first { (path: String) in
        // A device that this user may not open is as good as none.
        access(path, path.hasPrefix("/dev/") ? R_OK | W_OK : R_OK) != 0
    }

    static func maker(display: String? = nil, launcher: Launcher = launcher) async -> FirefoxMaker {
        await maker(
            display.map { ["DISPLAY": $0] } ?? [:], size: display == nil ? nil : (1280, 800), launcher: launcher)
    }

    static func maker(on compositor: HeadlessCompositor) async -> FirefoxMaker {
        await maker(["WAYLAND_DISPLAY": compositor.socket], size: nil, launcher: launcher)
    }

    /// - Parameter display: DISPLAY or WAYLAND_DISPLAY; neither: no window.
    private static func maker(
        _ display: [String: String], size: (Int, Int)?, launcher: Launcher
    ) async -> FirefoxMaker {
        var surroundings = Surroundings()
        for name in ["DISPLAY", "WAYLAND_DISPLAY"] { surroundings.environment[name] = display[name] }
        // It would be this program, which plays no reaper.
        surroundings.reaper = nil
        let confiner = await Confiner.detect(surroundings, launcher: launcher)
        return FirefoxMaker(
            start: { program async throws(LaunchFault) in try await confiner.start(program) }, launcher: launcher,
            folder: surroundings.runtime, hasDisplay: !display.isEmpty, size: size, reachesLoopback: true,
            patience: .seconds(100))
    }

    static func setup() -> BrowserSetup { BrowserSetup(executable: executable, address: address) }

    /// Runs `body` with a browser that is gone afterwards.
    static func run(
        _ pages: any BrowserPages, setup: BrowserSetup = setup(), display: VirtualDisplay? = nil,
        on compositor: HeadlessCompositor? = nil, reach: BrowserReach = .turn,
        _ body: (any Browser) async throws -> Void
    ) async throws {
        let maker = if let compositor { await maker(on: compositor) } else { await maker(display: display?.display) }
        let browser = try await maker.start(setup, pages: pages)
        do {
            try await browser.limit(to: reach)
            try await body(browser)
        } catch {
            _ = await browser.end(limit: TimeLimit(.seconds(20)))
            throw error
        }
        #expect(await browser.end(limit: TimeLimit(.seconds(20))) == nil)
    }
}

extension LoopbackSite {
    /// From within a Firefox's network.
    var outside: String { "http://10.0.2.2:\(port)" }
}

extension Trait where Self == ConditionTrait {
    static var withFirefox: Self {
        .enabled(if: FirefoxScene.missing == nil, "needs \(FirefoxScene.missing ?? "")")
    }
}
