import Browsers
import Glibc
import KioskTesting
import LinuxSystem
import Sandbox
import Testing

/// The Chromium of this machine.
enum ChromiumScene {
    static let executable = "/usr/lib/chromium/chromium"
    static let address = "https://baton.invalid"
    static let isThere = access(executable, X_OK) == 0

    /// One maker for all without a display, so that the trial is made once.
    private static let headless = Task { await maker(display: nil) }

    /// - Parameter compositor: Its socket.
    static func maker(display: String?, compositor: String? = nil) async -> ChromiumMaker {
        ChromiumMaker(
            start: await confiner(display: display, compositor: compositor).start,
            environment: environment(display, compositor))
    }

    static func confiner(display: String?, compositor: String? = nil) async -> Confiner {
        var surroundings = Surroundings()
        surroundings.environment = environment(display, compositor)
        // It would be this program, which plays no reaper.
        surroundings.reaper = nil
        return await Confiner.detect(surroundings)
    }

    private static func environment(_ display: String?, _ compositor: String?) -> [String: String] {
        var environment = Surroundings().environment
        environment["DISPLAY"] = display
        environment["WAYLAND_DISPLAY"] = compositor
        return environment
    }

    static func setup(arguments: [String] = []) -> BrowserSetup {
        var setup = BrowserSetup(executable: executable, address: address)
        setup.arguments = arguments
        return setup
    }

    /// Runs `body` with a browser that is gone afterwards.
    static func run(
        _ pages: any BrowserPages, setup: BrowserSetup = setup(), display: VirtualDisplay? = nil,
        on compositor: HeadlessCompositor? = nil, reach: BrowserReach = .turn,
        _ body: (any Browser) async throws -> Void
    ) async throws {
        let maker: ChromiumMaker
        if let compositor {
            maker = await Self.maker(display: nil, compositor: compositor.socket)
        } else if let display {
            maker = await Self.maker(display: display.display)
        } else {
            maker = await headless.value
        }
        // With its maker, the thread that started the browser would end, and the browser with that.
        defer { withExtendedLifetime(maker) {} }
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

extension Trait where Self == ConditionTrait {
    static var withChromium: Self {
        .enabled(if: ChromiumScene.isThere, "needs Chromium at \(ChromiumScene.executable)")
    }
}
