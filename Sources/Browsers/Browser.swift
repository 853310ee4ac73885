public import LinuxSystem
public import Sandbox
public import Vocabulary

/// One browser: a process tree with a profile of its own, in a sandbox of its own. It belongs to one worker or to none.
///
/// Commands travel over a channel that no other process can reach: Chromium's debugging pipe, Firefox's BiDi through a
/// descriptor.
/// Every command has a limit of its own, so that a browser that hangs holds up nothing else.
public protocol Browser: Sendable {
    /// What its end proves, and its processes.
    var confinement: any Confinement { get }

    /// When a page last requested something, as far as the agent is asked about its requests: all of them on a free device.
    var lastRequest: SuspendingClock.Instant { get }

    /// Changes what it may show; what is open stays open.
    func limit(to reach: BrowserReach) async throws(BrowserFault)

    /// Shows a page in a full-screen window, in front of its other windows; returns when the window is there. On a free device
    /// it is then the only page.
    func open(_ url: String) async throws(BrowserFault)

    /// From now on `BrowserPages.saw` hears of requests to these addresses: a request matches when it has the same origin
    /// and path. Replaces the earlier ones.
    func watch(_ addresses: [String]) async throws(BrowserFault)

    /// From now on pages are told that language, also those that are open, when they are loaded anew. It goes with the browser.
    func setLanguage(_ language: PageLanguage) async throws(BrowserFault)

    /// Loads the provider's log-out page where no worker sees it.
    ///
    /// - Parameters:
    ///   - answer: Where the provider sends the browser when the worker is signed out there, with our `state`.
    ///   - first: How long the provider may be silent.
    ///   - whole: How long all of it may take.
    func logOut(at url: String, answer: String, first: Duration, whole: Duration) async -> PageLogOut

    /// The names of the cookies that this address would be sent and that pages' scripts cannot read; nil when the browser does
    /// not answer.
    func sessionCookies(of url: String) async -> Set<String>?

    /// Kills it with all that it started and waits until it is gone; nil, or why that is not proven.
    func end(limit: TimeLimit) async -> String?
}

/// Why a browser does not do as it is told.
public enum BrowserFault: Error, Sendable, Equatable, CustomStringConvertible {
    case notStarted(String)
    /// It did not answer within the limit.
    case silent
    /// It has ended, or its channel has.
    case gone
    /// It answered with an error: the method and the text.
    case refused(String, String)
    /// It lacks what the agent rests on, as its self-test found.
    case unfit(String)

    public var description: String {
        switch self {
        case .notStarted(let why): "the browser was not started: \(why)"
        case .silent: "the browser does not answer"
        case .gone: "the browser has ended"
        case .refused(let method, let why): "the browser refused \(method): \(why)"
        case .unfit(let why): "this browser cannot be managed: \(why)"
        }
    }
}
