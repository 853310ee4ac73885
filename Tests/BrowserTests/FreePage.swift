import BusTesting
import KioskTesting
import Synchronization
import Testing

@testable import Agent
@testable import Browsers

/// The start page of a free terminal, in a real browser with real keys.
struct FreePage: BrowserPages {
    /// Keys of browsers and of GTK, none of which may do anything.
    static let keys =
        [
            "F1", "F3", "F5", "F6", "F7", "F10", "F11", "F12", "shift+F5", "shift+F7", "shift+F10", "shift+Escape",
            "alt+Home", "alt+Left", "alt+Right", "alt+d", "alt+f", "alt+e",
        ] + "adefghjklnoprstu".map { "ctrl+\($0)" } + "abcdefghijkmnoprst".map { "ctrl+shift+\($0)" } + [
            "ctrl+shift+Delete", "ctrl+Tab", "ctrl+F5", "ctrl+1", "ctrl+9", "ctrl+plus", "ctrl+minus", "ctrl+0",
            "ctrl+Return", "alt+Return", "alt+1",
        ]
    /// Those that close a page or the browser.
    static let closingKeys = ["ctrl+w", "ctrl+F4", "ctrl+shift+w", "ctrl+q", "ctrl+shift+q", "alt+F4"]

    /// How often the page has asked for its state.
    private final class Polls: Sendable {
        private let number = Mutex(0)
        var count: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }

    private let polls = Polls()
    let keyboard = HeardKey()
    let desk = StartPageServer(address: "https://baton.invalid")
    private let wishes: AsyncStream<StartPageServer.Wish>
    private let wish: AsyncStream<StartPageServer.Wish>.Continuation
    private let paths: AsyncStream<String>
    private let path: AsyncStream<String>.Continuation

    /// - Parameter answer: What the page is told of each wish.
    init(
        leftAfter: Duration = .seconds(600),
        answer: @escaping @Sendable (StartPageServer.Wish) -> WorkerLine = { _ in .none }
    ) async {
        let (wishes, wish) = AsyncStream.makeStream(of: StartPageServer.Wish.self)
        (self.wishes, self.wish) = (wishes, wish)
        (paths, path) = AsyncStream.makeStream(of: String.self)
        await desk.join(
            StartPageServer.Outside(
                wish: { made in
                    wish.yield(made)
                    return answer(made)
                }, response: { _ in false }, frontChannel: { _, _ in false }, saw: { _, _ in },
                lost: { _ in Issue.record("the page was lost") }, icon: { _ in nil }))
        await desk.change { state in
            state.phase = "ready"
            state.identity = "local"
            state.leftAfter = Int(leftAfter.components.seconds) * 1000
        }
    }

    func answer(_ request: BrowserRequest) async -> BrowserResponse {
        path.yield(request.path)
        if request.path == "/state" { polls.add() }
        if request.path == HeardKey.path { keyboard.hear() }
        return await desk.answer(request)
    }

    func saw(_ url: String, in browser: ObjectIdentifier) async {}
    func lost(in browser: ObjectIdentifier) async { await desk.lost(in: browser) }

    /// Opens the page and waits until it is there.
    func open(in browser: any Browser) async throws {
        let instance = BrowserInstance(browser)
        await desk.add(instance)
        try await browser.open("https://baton.invalid/")
        #expect(await desk.untilPainted(instance, atMost: .seconds(60)))
    }

    func nextWish() async -> StartPageServer.Wish? {
        for await wish in wishes { return wish }
        return nil
    }

    /// Has the page show something new: it then takes the focus into the first field, when none has it.
    func refocus() async throws {
        let seen = polls.count
        await desk.change { $0.message = "Type your name." }
        try await eventually { polls.count > seen }
    }

    func untilRequested(_ wanted: String) async {
        for await path in paths where path == wanted { return }
    }
}

extension VirtualDisplay {
    func press(_ keys: String...) async throws { try await press(keys) }
    func press(_ keys: [String]) async throws { try await xdotool(["key", "--delay", "60"] + keys) }
    func type(_ text: String) async throws { try await xdotool(["type", "--delay", "30", text]) }

    /// Types into the field that has the focus and into the next one, as one program: on a busy machine the next program may
    /// begin only when the page has forgotten what the one before it typed.
    func fill(_ name: String, _ pin: String, before: [String] = [], after: [String] = []) async throws {
        func typing(_ text: String) -> [String] { ["type", "--delay", "30", "--args", "1", text] }
        try await xdotool(before + typing(name) + ["key", "Tab"] + typing(pin) + after)
    }
}
