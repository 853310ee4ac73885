import Browsers

/// Answers what it was told to, and hands on what it hears.
struct RecordingPages: BrowserPages {
    typealias Answers = @Sendable (BrowserRequest) async -> BrowserResponse?

    private let requests: AsyncStream<BrowserRequest>
    private let request: AsyncStream<BrowserRequest>.Continuation
    private let sightings: AsyncStream<String>
    private let sighting: AsyncStream<String>.Continuation
    private let losses: AsyncStream<ObjectIdentifier>
    private let loss: AsyncStream<ObjectIdentifier>.Continuation
    private let answers: Answers

    /// - Parameter answers: By path; nil: an empty page.
    init(_ answers: @escaping Answers = { _ in nil }) {
        self.answers = answers
        (requests, request) = AsyncStream.makeStream(of: BrowserRequest.self)
        (losses, loss) = AsyncStream.makeStream(of: ObjectIdentifier.self)
        (sightings, sighting) = AsyncStream.makeStream(of: String.self)
    }

    func answer(_ request: BrowserRequest) async -> BrowserResponse {
        self.request.yield(request)
        return await answers(request) ?? Self.page("")
    }

    func saw(_ url: String, in browser: ObjectIdentifier) async { sighting.yield(url) }

    func lost(in browser: ObjectIdentifier) async { loss.yield(browser) }

    /// The next time that the page was lost; in which browser.
    func loss() async -> ObjectIdentifier? {
        for await browser in losses { return browser }
        return nil
    }

    /// The next request to this path; others before it are dropped. One caller at a time.
    func request(to path: String) async -> BrowserRequest? {
        for await request in requests where request.path == path { return request }
        return nil
    }

    /// The next report of a watched address.
    func sighting() async -> String? {
        for await url in sightings { return url }
        return nil
    }

    /// What was reported until now.
    func allSightings() async -> [String] {
        sighting.finish()
        return await sightings.reduce(into: []) { $0.append($1) }
    }

    static func page(_ html: String) -> BrowserResponse {
        BrowserResponse(
            status: 200, headers: [("Content-Type", "text/html; charset=utf-8")], body: "<!doctype html>" + html)
    }
}

extension BrowserRequest {
    var path: String {
        let rest = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3).first ?? ""
        return "/" + rest.prefix { $0 != "?" }
    }
}
