import LinuxSystem
import Sandbox
import Vocabulary

/// A Chromium that is told what to do over its debugging pipe.
final class Chromium: Browser {
    let confinement: any Confinement
    let link: ChromiumLink
    private let traffic: ChromiumTraffic
    private let trial: ChromiumTrial

    init(_ confinement: any Confinement, _ link: ChromiumLink, _ traffic: ChromiumTraffic, _ trial: ChromiumTrial) {
        self.confinement = confinement
        self.link = link
        self.traffic = traffic
        self.trial = trial
    }

    // A Chromium whose pipe is closed ends by itself.
    deinit { link.close() }

    /// A browser's first window takes a busy machine some seconds.
    private static let windowPatience = Duration.seconds(15)

    func open(_ url: String) async throws(BrowserFault) {
        // What the agent opens need not stand in the list of allowed pages.
        if let origin = PageAddress(url)?.origin { _ = traffic.change { $0.opened.insert(origin) } }
        try await traffic.opening { () async throws(BrowserFault) in
            guard traffic.language != nil else {
                return try await link.call(CreateTarget.window(url), limit: Self.windowPatience).targetId
            }
            // A page's first request would go before it is told the language.
            let target = try await link.call(
                CreateTarget.window("about:blank"), limit: Self.windowPatience
            ).targetId
            if try await traffic.lead(target, to: url, limit: Self.windowPatience) { return target }
            link.post(CloseTarget(targetId: target))
            return try await link.call(CreateTarget.window(url), limit: Self.windowPatience).targetId
        }
        try await trial.run(link, traffic)
    }

    func setLanguage(_ language: PageLanguage) async throws(BrowserFault) {
        traffic.language = language
        try await link.call(SetAutoAttach())
    }

    var lastRequest: SuspendingClock.Instant { traffic.lastRequest }

    func limit(to reach: BrowserReach) async throws(BrowserFault) { try await link.call(traffic.limit(to: reach)) }

    func watch(_ addresses: [String]) async throws(BrowserFault) {
        try await link.call(traffic.change { $0.watched = Set(addresses.compactMap(PageAddress.init)) })
    }

    func logOut(at url: String, answer: String, first: Duration, whole: Duration) async -> PageLogOut {
        await HiddenLogOut(link: link, traffic: traffic, url: url, answer: answer).run(first: first, whole: whole)
    }

    func sessionCookies(of url: String) async -> Set<String>? {
        guard let address = PageAddress(url) else { return [] }
        guard let answer = try? await link.call(GetCookies()) else { return nil }
        return Set(answer.cookies.filter { $0.httpOnly && $0.isSent(to: address) }.map(\.name))
    }

    func end(limit: TimeLimit) async -> String? {
        link.close()
        let fault = await confinement.end(limit: limit)
        await link.close(limit: limit)
        return fault
    }
}
