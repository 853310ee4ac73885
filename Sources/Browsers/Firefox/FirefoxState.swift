/// What a Firefox's reader remembers between events.
struct FirefoxState {
    /// Of a request to the virtual origin.
    static let longestBody = 64 << 10
    /// How many requests to the virtual origin may wait at a time; pages of other origins can make them, too.
    static let mostHeld = 256

    private let virtual: PageAddress?
    private let answered: Set<PageAddress>
    /// Origins and hosts; empty: all pages may be loaded.
    private let allowed: Set<String>
    /// Origins of pages that the agent itself has opened.
    var opened: Set<String> = []

    var reach = BrowserReach.startPage { didSet { pages.isFree = reach.isFree } }
    /// What has all requests wait for us; nil: only ours do.
    var intercept: String?
    var lastRequest = SuspendingClock.now
    var pages = OpenPages()
    var watched: Set<PageAddress> = []
    var collector = ""
    /// The window of the start, until something was opened in it.
    var unused: String?
    /// The hidden tabs of log-outs.
    var logOuts: [String: LogOutTab] = [:]
    /// How many requests wait for an answer. Firefox does not report that a page has given one up: it is answered all the same.
    var held = 0
    /// Frames and what they lie in.
    private var parents: [String: String] = [:]

    init(_ setup: BrowserSetup) {
        virtual = PageAddress(setup.address)
        answered = Set(setup.answered.compactMap(PageAddress.init))
        allowed = Set(setup.allow.map { PageAddress($0)?.origin ?? $0.lowercased() })
    }

    /// Whether all requests have to wait for us: the pages are limited.
    var isLimited: Bool { reach.isFree || !allowed.isEmpty }

    /// Which requests have to wait for us in any case.
    var patterns: [BiDi.Network.Pattern] {
        var patterns = answered.map { BiDi.Network.Pattern($0) }
        if let virtual {
            var pattern = BiDi.Network.Pattern(virtual)
            pattern.pathname = nil
            patterns.append(pattern)
        }
        return patterns
    }

    mutating func takeUnused() -> String? {
        defer { unused = nil }
        return unused
    }

    /// Whether we answer instead of the network.
    func isAnswered(_ address: PageAddress) -> Bool {
        address.origin == virtual?.origin || answered.contains(address)
    }

    /// Whether a page, also one in a frame, may be loaded from there.
    func isAllowed(_ address: PageAddress) -> Bool {
        allowed.isEmpty || isAnswered(address) || allowed.contains(address.origin) || allowed.contains(address.host)
            || opened.contains(address.origin)
    }

    mutating func add(_ context: ContextEvent) {
        if let parent = context.parent { parents[context.context] = parent } else { pages.insert(context.context) }
    }

    /// - Returns: Whether no page is left that should be seen.
    mutating func remove(_ context: ContextEvent) -> Bool {
        parents[context.context] = nil
        return pages.remove(context.context) && logOuts[context.context] == nil
    }

    /// On a free device only the agent's own tab may be open, beside the hidden ones.
    func isStranger(_ context: String) -> Bool {
        pages.isStranger(context) && pages.names.contains(context) && context != unused && logOuts[context] == nil
    }

    /// - Parameter context: The tab that was opened; nil: it was not.
    /// - Returns: What must be closed now.
    mutating func endOpening(_ context: String?) -> [String] { pages.endOpening(context).filter(isStranger) }

    /// The tab of a frame.
    func tab(of context: String?) -> String? {
        guard var tab = context else { return nil }
        // Bounded, should the reports ever form a ring.
        for _ in 0..<1000 {
            guard let parent = parents[tab] else { return tab }
            tab = parent
        }
        return tab
    }
}

extension BiDi.Network.Pattern {
    init(_ address: PageAddress) {
        `protocol` = address.isEncrypted ? "https" : "http"
        hostname = Self.escape(address.host)
        let number = address.origin.dropFirst(`protocol`.count + "://".count + address.host.count + 1)
        // Without one, every port waits, and goes on.
        port = number.isEmpty ? nil : String(number)
        pathname = Self.escape(address.path)
    }

    /// These are kept for wildcards to come.
    private static func escape(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "(){}*\\".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}

extension PageAddress {
    fileprivate var isEncrypted: Bool { origin.hasPrefix("https:") }
}
