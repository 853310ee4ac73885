import BatonContract
import BusTesting
import KioskTesting
import Logging
import Synchronization
import Testing

@testable import Agent
@testable import Browsers

/// Evaluates an expression in a page.
private struct Evaluate: BiDiCommand {
    static let method = "script.evaluate"

    struct Target: Encodable { var context: String }
    struct Answer: Decodable {
        var result: Value?
        struct Value: Decodable { var value: String? }
    }

    var expression: String
    var target: Target
    var awaitPromise = false
}

/// A free terminal under a compositor: the start page in a real Firefox, the agent's browsers, and a person at the keys.
struct FreeFirefox {
    static let address = "https://baton.invalid"

    let compositor: HeadlessCompositor
    let keyboard: WaylandKeyboard
    let browsers: KioskBrowsers
    let desk = StartPageServer(address: address)
    private let wishes: Wishes

    private final class Wishes: Sendable {
        let list = Mutex<[StartPageServer.Wish]>([])
    }

    /// - Parameter answer: What the page is told when it wishes anything.
    static func run(answer: String = "", _ body: (FreeFirefox) async throws -> Void) async throws {
        let terminal = try await shown(answer)
        do {
            try await body(terminal)
        } catch {
            // Of its own: the time of a test that hangs is over.
            let state = await Task { await terminal.state }.value
            Issue.record("\(state)")
            await terminal.browsers.close()
            throw error
        }
        await terminal.browsers.close()
    }

    /// Beside busy processes it happens that sway has no window of a Firefox that has started, and it seems of none that comes later.
    /// Nothing that a test of the page is about: another sway has the next.
    private static func shown(_ answer: String) async throws -> FreeFirefox {
        for attempt in 1...4 {
            let terminal = try await FreeFirefox(answer)
            await terminal.browsers.open()
            if await terminal.isPainted(atMost: .seconds(25)) { return terminal }
            print("attempt \(attempt): \(await terminal.state)")
            await terminal.browsers.close()
        }
        throw TestingError("no Firefox shows the start page")
    }

    private init(_ answer: String) async throws {
        compositor = try await HeadlessCompositor()
        keyboard = try WaylandKeyboard(of: compositor)
        var settings = AgentConfiguration.ManagedBrowser()
        settings.kind = .firefox
        settings.address = Self.address
        settings.leftAfter = .seconds(60)
        settings.startLimit = .seconds(100)
        settings.hasSpare = true
        let wishes = Wishes()
        self.wishes = wishes
        let browsers = KioskBrowsers(
            maker: await FirefoxScene.maker(on: compositor), settings: settings, setup: FirefoxScene.setup(),
            startPages: desk, gate: TurnGate(), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            outside: .init(sessionEnded: { _ in }))
        self.browsers = browsers
        await desk.join(
            StartPageServer.Outside(
                wish: { made in
                    wishes.list.withLock { $0.append(made) }
                    return answer.isEmpty ? .none : .plain(answer)
                }, response: { _ in false }, frontChannel: { _, _ in false }, saw: { _, _ in },
                lost: { [weak browsers] in await browsers?.lost($0) }, icon: { _ in nil }))
        await desk.change { state in
            state.phase = "ready"
            state.identity = "local"
        }
    }

    private func isPainted(atMost limit: Duration) async -> Bool {
        guard let instance = await browsers.front else { return false }
        return await desk.untilPainted(instance, atMost: limit)
    }

    /// Waits until a page asks for this.
    func untilWished(_ wish: StartPageServer.Wish) async throws {
        try await eventually { wishes.list.withLock { $0.contains(wish) } }
    }

    private var front: (Firefox, page: String)? {
        get async {
            guard let firefox = await browsers.front?.browser as? Firefox else { return nil }
            return firefox.state.withLock { $0.pages.own }.map { (firefox, $0) }
        }
    }

    /// Whether the start page is all that there is: no other tab, and no other window of any kind.
    var isAlone: Bool {
        get async throws {
            guard let (firefox, page) = await front,
                let tabs = try? await firefox.session.call(BiDi.BrowsingContext.GetTree(), limit: .seconds(10)).contexts
            else { return false }
            let windows = try await compositor.windows()
            return tabs.map(\.context) == [page] && tabs.map(\.url) == [Self.address + "/"] && windows.count == 1
        }
    }

    /// What an expression is in the start page; nil while there is none.
    func evaluate(_ expression: String) async -> String? {
        guard let (firefox, page) = await front else { return nil }
        let command = Evaluate(expression: expression, target: .init(context: page))
        return try? await firefox.session.call(command, limit: .seconds(10)).result?.value
    }

    /// Has the field show this text, by keys alone. A window that is about to be closed may have the first of them.
    func type(_ text: String, in field: String) async throws {
        for _ in 0..<20 {
            _ = await evaluate("document.getElementById('\(field)').value = ''")
            try await keyboard.type(text)
            for _ in 0..<100 {
                if await value(of: field) == text { return }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        throw TestingError("\(text) is not in \(field)")
    }

    /// What a person would see, for the message of a test that fails.
    private var state: String {
        get async {
            guard let (firefox, page) = await front else { return "no browser is in front" }
            let tabs = try? await firefox.session.call(BiDi.BrowsingContext.GetTree(), limit: .seconds(10)).contexts
            let focus = await evaluate(
                "[document.hasFocus(), document.activeElement.id, document.getElementById('username').value].join(' ')")
            let windows = (try? await compositor.windows()) ?? []
            let window = (try? await compositor.focus()) ?? "none"
            let urls = (tabs ?? []).map { "\($0.context == page ? "the page" : "another") \($0.url)" }
            return "in the page: \(focus ?? "no answer"); tabs: \(urls); windows: \(windows), with the keys: \(window)"
        }
    }

    private func value(of field: String) async -> String? {
        // What has no focus gets no key.
        await evaluate(
            "document.hasFocus() && document.activeElement.id === '\(field)' ? document.activeElement.value : '-'")
    }

    /// A worker signs in with nothing but keys.
    func signIn(_ name: String, pin: String) async throws {
        try await type(name, in: "username")
        try await keyboard.press("Tab")
        try await type(pin, in: "pin")
        try await keyboard.press("Return")
        try await untilWished(.signIn(username: name, pin: pin))
    }
}
