/// What is done about a request of a page, decided without waiting for any answer.
struct RequestRules: Sendable {
    enum Decision: Equatable {
        /// It goes on as it is.
        case pass
        /// It goes on, and the agent hears of it.
        case report
        /// The agent answers it.
        case answer
        /// The provider has sent our hidden page back: the worker is signed out there.
        case confirm
        case refuse
        /// It is answered with nothing, and the document before it stays.
        case stay
    }

    /// Our own hidden page at the provider.
    struct HiddenPage: Sendable {
        var url: String
        var answer: String
        /// Known once the target is, or its first request.
        var frame: String?
    }

    let virtualOrigin: String
    let answered: Set<PageAddress>
    /// Origins and hosts; empty: all pages are allowed.
    let allowed: Set<String>
    var reach = BrowserReach.startPage
    var watched: Set<PageAddress> = []
    /// Origins of pages that the agent itself has opened.
    var opened: Set<String> = []
    var hidden: HiddenPage?

    /// Nil when the virtual address is none.
    init?(_ setup: BrowserSetup) {
        guard let virtual = PageAddress(setup.address) else { return nil }
        virtualOrigin = virtual.origin
        answered = Set(setup.answered.compactMap(PageAddress.init))
        allowed = Set(setup.allow.map { PageAddress($0)?.origin ?? $0.lowercased() })
    }

    mutating func decide(_ request: PausedRequest) -> Decision {
        guard let address = PageAddress(request.request.url) else {
            // `blob:` and the like are parts of a page. Pages cannot ask for files; who types an address can.
            let isRefused = reach == .startPage || Self.forbidden.contains { request.request.url.hasPrefix($0) }
            return isRefused ? .refuse : .pass
        }
        if isConfirmation(request.request.url, address) { return .confirm }
        if address.origin == virtualOrigin || answered.contains(address) { return .answer }
        if isOurs(request) { return .pass }
        if watched.contains(address) { return .report }
        guard request.isDocument else { return reach == .startPage ? .refuse : .pass }
        guard let isAllowed = reach.allows(address) else { return isAllowed(address) ? .pass : .refuse }
        return isAllowed ? .pass : .stay
    }

    /// Whether our hidden page itself asked, and no other page.
    mutating func isOurs(_ request: PausedRequest) -> Bool {
        guard let hidden else { return false }
        if let frame = hidden.frame { return request.frameId == frame }
        // Its first request may arrive before the answer that names its target.
        guard request.request.url == hidden.url else { return false }
        self.hidden?.frame = request.frameId
        return true
    }

    /// What the browser must ask us about; nothing else is slowed down.
    var patterns: [EnableFetch.Pattern] {
        let addresses = answered.union(watched).union(hidden.flatMap { PageAddress($0.answer) }.map { [$0] } ?? [])
        var patterns = [EnableFetch.Pattern(urlPattern: Self.escaped(virtualOrigin) + "/*")]
        patterns += addresses.map { EnableFetch.Pattern(urlPattern: Self.escaped($0.text) + "*") }
        patterns.append(EnableFetch.Pattern(urlPattern: "file:*"))
        if reach.isFree {
            patterns.append(EnableFetch.Pattern(urlPattern: "*"))
        } else if !allowed.isEmpty {
            patterns.append(EnableFetch.Pattern(urlPattern: "*", resourceType: "Document"))
        }
        if hidden != nil {
            patterns.append(EnableFetch.Pattern(urlPattern: "*", resourceType: "Document", requestStage: "Response"))
        }
        return patterns
    }

    private static let forbidden = ["file:", "ftp:", "chrome:", "devtools:", "view-source:"]

    private func isConfirmation(_ url: String, _ address: PageAddress) -> Bool {
        guard let answer = hidden?.answer, PageAddress(answer) == address else { return false }
        return PageAddress.state(of: url) == PageAddress.state(of: answer)
    }

    private func isAllowed(_ address: PageAddress) -> Bool {
        allowed.isEmpty || allowed.contains(address.origin) || allowed.contains(address.host)
            || opened.contains(address.origin)
    }

    /// Stars, question marks and backslashes mean something in a pattern.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if character == "*" || character == "?" || character == "\\" { result.append("\\") }
            result.append(character)
        }
    }
}
