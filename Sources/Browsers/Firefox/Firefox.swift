import LinuxSystem
import Sandbox
import Synchronization

/// One Firefox, over WebDriver BiDi.
///
/// Requests are seen when pages, frames, scripts and beacons make them. Those that a *service worker* makes are not reported by
/// Firefox, nor are their bodies: a sign-out that a service worker requests is noticed by the session cookie only.
/// Pages can see that they are remote-controlled (`navigator.webdriver`).
final class Firefox: Browser {
    let confinement: any Confinement
    /// Nil: it has one that ends with it.
    let network: PrivateNetwork?
    let session: BiDiSession
    let pages: any BrowserPages
    let state: Mutex<FirefoxState>

    /// How long a command of ours may take while the worker waits.
    static let patience = Duration.seconds(3)
    /// How long the browser may take to make a window; a fresh one on a busy machine takes some seconds.
    static let windowPatience = Duration.seconds(10)

    private let reader = Mutex<Task<Void, Never>?>(nil)

    init(
        _ confinement: any Confinement, network: PrivateNetwork?, session: BiDiSession, setup: BrowserSetup,
        pages: any BrowserPages
    ) {
        self.confinement = confinement
        self.network = network
        self.session = session
        self.pages = pages
        state = Mutex(FirefoxState(setup))
    }

    var identity: ObjectIdentifier { ObjectIdentifier(confinement.process) }

    /// Takes the browser over; before that it shows an empty page.
    func begin(_ limit: TimeLimit) async throws(BrowserFault) {
        // A browser is a value that others hold: its reader is the child of no caller's task. It ends with the connection.
        reader.withLock { $0 = Task { await self.live() } }
        let answer = try await session.call(BiDi.Session.New(), limit: limit.left)
        guard answer.capabilities.browserName == "firefox" else { throw .unfit("it is not Firefox") }
        do {
            try await session.call(
                BiDi.Session.Subscribe(events: [
                    BiDiEvent.requestName, BiDiEvent.failureName, BiDiEvent.createdName, BiDiEvent.destroyedName,
                    BiDiEvent.navigationName, BiDiEvent.committedName,
                ]), limit: limit.left)
            let collector = try await session.call(
                BiDi.Network.AddDataCollector(maxEncodedDataSize: FirefoxState.longestBody), limit: limit.left)
            state.withLock { $0.collector = collector.collector }
            let patterns = state.withLock { $0.patterns }
            try await session.call(BiDi.Network.AddIntercept(urlPatterns: patterns), limit: limit.left)
            try await self.limit(to: .startPage)
        } catch {
            if case .refused = error { throw .unfit("\(error)") }
            throw error
        }
        let first = try await session.call(BiDi.BrowsingContext.GetTree(), limit: limit.left).contexts.first
        guard let first else { throw .unfit("it shows no window") }
        state.withLock { $0.unused = first.context }
    }

    func open(_ url: String) async throws(BrowserFault) {
        let limit = TimeLimit(Self.windowPatience)
        var context: String?
        let unused = state.withLock { state in
            if let origin = PageAddress(url)?.origin { state.opened.insert(origin) }
            state.pages.beginOpening()
            return state.takeUnused()
        }
        defer {
            let strangers = state.withLock { [context] in $0.endOpening(context) }
            for stranger in strangers { session.tell(BiDi.BrowsingContext.Close(context: stranger)) }
        }
        if let unused {
            context = unused
        } else {
            // In front also of windows that pages opened, and not in the way of a dialog that one of them shows.
            context = try await session.call(BiDi.BrowsingContext.Create(type: "window"), limit: limit.left).context
        }
        guard let context else { return }
        // Its answer waits for the network, and may be that the page cannot be loaded: then that is what the worker sees.
        session.tell(BiDi.BrowsingContext.Navigate(context: context, url: url))
        // Nor for the focus, which a screen that is covered does not give.
        session.tell(BiDi.BrowsingContext.Activate(context: context))
    }

    var lastRequest: SuspendingClock.Instant { state.withLock(\.lastRequest) }

    func limit(to reach: BrowserReach) async throws(BrowserFault) {
        // Stricter at once; looser when the browser knows of it, so that no request waits without an answer.
        let (isLimited, intercept) = state.withLock { state in
            state.reach = reach
            return (state.isLimited, state.intercept)
        }
        if isLimited, intercept == nil {
            let added = try await session.call(BiDi.Network.AddIntercept(urlPatterns: nil), limit: Self.patience)
            state.withLock { $0.intercept = added.intercept }
        } else if !isLimited, let intercept {
            state.withLock { $0.intercept = nil }
            try await session.call(BiDi.Network.RemoveIntercept(intercept: intercept), limit: Self.patience)
        }
    }

    func watch(_ addresses: [String]) async throws(BrowserFault) {
        state.withLock { $0.watched = Set(addresses.compactMap(PageAddress.init)) }
    }

    /// Versions before 142 have no such command.
    func setLanguage(_ language: PageLanguage) async throws(BrowserFault) {
        try await session.call(
            BiDi.Emulation.SetLocaleOverride(locale: language.tag), limit: Self.patience)
    }

    func sessionCookies(of url: String) async -> Set<String>? {
        guard let address = PageAddress(url),
            let cookies = try? await session.call(BiDi.Storage.GetCookies(), limit: Self.patience).cookies
        else { return nil }
        return Set(cookies.filter { $0.httpOnly && $0.isSent(to: address) }.map(\.name))
    }

    func end(limit: TimeLimit) async -> String? {
        let fault = await confinement.end(limit: limit)
        await session.close()
        // Not waited for: a page's request may be answered only once this very browser has ended.
        reader.withLock { reader in
            reader?.cancel()
            reader = nil
        }
        let left = await network?.end(limit: limit)
        return fault ?? left
    }
}
