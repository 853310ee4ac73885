import BatonContract
import Browsers
import FoundationEssentials
import LinuxSystem
import Presentation
import Waiting

/// Answers the requests of start pages, which reach no network: the pages, their state, and what the worker asks for.
///
/// Every site that the worker visits can send requests here too. What changes anything therefore needs the token of the start
/// page in that very browser, which only a document of the virtual origin can read, and an `Origin` that is ours.
actor StartPageServer: BrowserPages {
    /// What a start page asks for.
    enum Wish: Sendable, Equatable {
        case signIn(username: String, pin: String)
        /// - tile: Of a worker who was there before.
        case signInAgain(tile: String, pin: String)
        case signInAtProvider
        case signInWithPhone
        case cancelSignIn
        case signOut
        case staySignedIn
        /// - pin: Chosen for this turn; empty: none is.
        case lock(pin: String)
        case lockWithoutPIN
        case open(app: String)
        case ask(DeveloperQuery)
    }

    /// What happens outside.
    struct Outside: Sendable {
        var wish: @Sendable (Wish) async -> WorkerLine
        /// The provider's answer to a sign-in arrived; false: no sign-in waits for it.
        var response: @Sendable (String) async -> Bool
        /// The provider's front-channel log-out: issuer and session.
        var frontChannel: @Sendable (String, String) async -> Bool
        /// A watched address was requested in this browser.
        var saw: @Sendable (String, ObjectIdentifier) async -> Void
        /// The agent's page in this browser is not to be seen any more.
        var lost: @Sendable (ObjectIdentifier) async -> Void
        /// The icon of an app: type and bytes as base64.
        var icon: @Sendable (String) async -> (type: String, base64: String)?
    }

    private struct Known {
        var token: String
        /// Which version of the state its page shows; nil: the page is not painted.
        var painted: Int?
        /// Woken with true when the page is painted, and again with each later version.
        let waiters = WaiterList<Bool>()
    }

    let address: String
    /// Of the pages that come.
    private let look: StartPageLook
    private var outside: Outside?
    private var known: [ObjectIdentifier: Known] = [:]
    private(set) var state = PageState()
    private var version = 1
    private let watchers = WaiterList<Void>()

    /// Watching requests that wait at once, of all pages.
    private static let mostWatchers = 64

    init(address: String, look: StartPageLook = StartPageLook()) {
        self.address = address
        self.look = look
    }

    func join(_ outside: Outside) { self.outside = outside }

    // MARK: Seats

    func add(_ instance: BrowserInstance) { known[instance.id] = Known(token: instance.token) }

    func remove(_ instance: BrowserInstance) {
        known.removeValue(forKey: instance.id)?.waiters.wakeAll(false)
        watchers.wakeAll()
    }

    func isPainted(_ instance: BrowserInstance) -> Bool { known[instance.id]?.painted != nil }

    /// Another start page is about to be opened in this browser.
    func expectPaint(_ instance: BrowserInstance) { known[instance.id]?.painted = nil }

    /// Waits until the start page in this browser says that it has been painted; false when the time is over before.
    func untilPainted(_ instance: BrowserInstance, atMost limit: Duration) async -> Bool {
        guard let entry = known[instance.id] else { return false }
        if entry.painted != nil { return true }
        return await Self.wait(in: entry.waiters, atMost: limit, else: false)
    }

    /// Waits until the start page in this browser shows the state that is, at most so long.
    func untilCurrent(_ instance: BrowserInstance, atMost limit: Duration) async {
        let (wanted, limit) = (version, TimeLimit(limit))
        while let entry = known[instance.id], entry.painted.map({ $0 < wanted }) ?? true, !limit.isOver {
            guard await Self.wait(in: entry.waiters, atMost: limit.left, else: false) else { return }
        }
    }

    private static func wait<Value: Sendable>(
        in waiters: WaiterList<Value>, atMost limit: Duration, else value: Value
    ) async -> Value {
        var timer: Task<Void, Never>?
        defer { timer?.cancel() }
        return await waiters.wait(enrolled: { place in
            timer = Task {
                if (try? await OwnTasks.sleep(for: limit)) != nil { waiters.wake(place, value) }
            }
        })
    }

    // MARK: State

    func change(_ change: @Sendable (inout PageState) -> Void) {
        let before = state
        change(&state)
        guard state != before else { return }
        version += 1
        watchers.wakeAll()
    }

    /// Holds a page's question until the state is newer than it knows, at most a minute: each answer wakes page, browser and agent.
    private func untilNewer(than version: Int) async {
        guard version >= self.version, watchers.count < Self.mostWatchers else { return }
        await Self.wait(in: watchers, atMost: .seconds(60), else: ())
    }

    // MARK: Requests

    func saw(_ url: String, in browser: ObjectIdentifier) async {
        guard known[browser] != nil else { return }
        await outside?.saw(url, browser)
    }

    func lost(in browser: ObjectIdentifier) async {
        guard known[browser] != nil else { return }
        known[browser]?.painted = nil
        await outside?.lost(browser)
    }

    func answer(_ request: BrowserRequest) async -> BrowserResponse {
        guard let entry = known[request.browser] else { return .refused(403) }
        guard let path = VirtualPath(request.url, at: address) else { return .refused(404) }
        switch (request.method, path.path) {
        case ("GET", "/"):
            return StartPage.document(
                token: entry.token, state: StateAnswer(version: version, state: state), look: look)
        case ("GET", BrowserPaths.signedIn):
            // The code in it is worth nothing without the verifier that batond has.
            let isAwaited = await outside?.response(request.url) ?? false
            if !isAwaited { change { $0.message = WorkerLine.message(.noSignInWaits).pageText } }
            return .redirect(to: address + "/")
        case ("GET", BrowserPaths.signedOut):
            return .redirect(to: address + "/")
        case ("GET", BrowserPaths.frontChannel):
            // Any page can request this; only the provider knows the session's id.
            let query = path.query
            guard let issuer = query["iss"], let session = query["sid"], !session.isEmpty,
                await outside?.frontChannel(issuer, session) == true
            else { return .refused(400) }
            return BrowserResponse(status: 200, headers: BrowserResponse.plain, body: "")
        default: break
        }
        guard request.headers["x-baton-token"] == entry.token else { return .refused(403) }
        switch (request.method, path.path) {
        case ("GET", "/state"):
            await untilNewer(than: path.query["since"].flatMap { Int($0) } ?? 0)
            return .json(StateAnswer(version: version, state: state))
        case ("GET", "/icon"):
            guard let icon = await outside?.icon(path.query["app"] ?? "") else { return .refused(404) }
            return .json(["src": "data:\(icon.type);base64,\(icon.base64)"])
        case ("POST", _) where request.headers["origin"] == address:
            return await act(path.path, request)
        default: return .refused(404)
        }
    }

    private func act(_ path: String, _ request: BrowserRequest) async -> BrowserResponse {
        switch path {
        case "/painted":
            guard let shown = Shown(request.body) else { return .refused(400) }
            known[request.browser]?.painted = shown.version
            known[request.browser]?.waiters.wakeAll(true)
            return .json(["message": ""])
        case "/wish":
            guard let wish = Wish(request.body), let outside else { return .refused(400) }
            return .json(["message": await outside.wish(wish).pageText])
        default: return .refused(404)
        }
    }
}

/// What the page says when it is painted.
private struct Shown: Decodable {
    var version: Int

    init?(_ body: String) {
        guard let shown = try? JSONDecoder().decode(Self.self, from: Data(body.utf8)) else { return nil }
        self = shown
    }
}

struct StateAnswer: Encodable {
    var version: Int
    var state: PageState
}
