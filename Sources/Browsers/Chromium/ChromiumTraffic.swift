import FoundationEssentials
import Synchronization

/// What one browser's pages request, and what becomes of it.
///
/// Events arrive on the channel's thread and are decided there; what has to wait for the agent is done by a task that lives as
/// long as the channel, each request for itself, so that one that is held open holds up no other.
final class ChromiumTraffic: Sendable {
    private enum Work: Sendable {
        case answer(PausedRequest)
        case saw(String)
        case lost
    }

    private struct State {
        var rules: RequestRules
        var targets = PageTargets()
        var steps: HiddenLogOut.Steps.Continuation?
        /// Addresses at which it is tried whether requests are seen, and who waits for that.
        var trials: [String: AsyncStream<Void>.Continuation] = [:]
        /// Requests that the agent has not answered yet.
        var held = 0
        var lastRequest = SuspendingClock.now
        /// What pages are told; nil: nothing.
        var language: PageLanguage?
        /// The first session of each page that was attached to: a window has one of its opener, too, which comes at any time.
        var sessions: [String: String] = [:]

        /// True: what is lost with it is more than one page of several.
        mutating func remove(_ target: String) -> Bool {
            sessions[target] = nil
            return targets.pages.remove(target)
        }
    }

    static let mostHeld = 256
    static let longestBody = 64 << 10

    private let link: ChromiumLink
    private let pages: any BrowserPages
    private let browser: ObjectIdentifier
    private let state: Mutex<State>
    private let work: AsyncStream<Work>.Continuation

    init(_ link: ChromiumLink, rules: RequestRules, pages: any BrowserPages, browser: ObjectIdentifier) {
        self.link = link
        self.pages = pages
        self.browser = browser
        state = Mutex(State(rules: rules))
        let (stream, work) = AsyncStream.makeStream(of: Work.self, bufferingPolicy: .bufferingOldest(4096))
        self.work = work
        Task { [weak self] in
            await withDiscardingTaskGroup { group in
                for await work in stream {
                    group.addTask { [weak self] in await self?.perform(work) }
                }
                group.cancelAll()
            }
        }
    }

    deinit { work.finish() }

    /// On the channel's thread.
    func handle(_ event: ChromiumEvent) {
        switch event {
        case .paused(let request) where request.isAnswered: noteAnswer(request)
        case .paused(let request): decide(request)
        case .target(let target):
            if state.withLock({ $0.targets.mustClose(target) }) { link.post(CloseTarget(targetId: target.targetId)) }
        case .attached(let target, let session): tellLanguage(target, session)
        case .targetGone(let target): if state.withLock({ $0.remove(target) }) { work.yield(.lost) }
        case .targetCrashed(let target): if state.withLock({ $0.targets.pages.own == target }) { work.yield(.lost) }
        }
    }

    /// On the channel's thread, when it has ended.
    func end() { work.finish() }

    /// Changes the rules; the answer is what the browser must be told.
    func change(_ change: (inout RequestRules) -> Void) -> EnableFetch {
        state.withLock { state in
            change(&state.rules)
            return EnableFetch(patterns: state.rules.patterns)
        }
    }

    var lastRequest: SuspendingClock.Instant { state.withLock(\.lastRequest) }

    /// Changes what may be shown; the answer is what the browser must be told.
    func limit(to reach: BrowserReach) -> EnableFetch {
        state.withLock { $0.targets.pages.isFree = reach.isFree }
        return change { $0.reach = reach }
    }

    /// What targets are told that are attached to from now on.
    var language: PageLanguage? {
        get { state.withLock(\.language) }
        set { state.withLock { $0.language = newValue } }
    }

    /// On the channel's thread. The target may wait for this.
    private func tellLanguage(_ target: TargetInfo, _ session: String) {
        let language = state.withLock { state in
            if target.type == "page", state.sessions[target.targetId] == nil {
                state.sessions[target.targetId] = session
            }
            return state.language
        }
        if let language {
            // Frames and workers of its own.
            link.post(SetAutoAttach(), in: session)
            // Refused where another target of the same process has done it.
            link.post(SetLocaleOverride(locale: language.icu), in: session)
            link.post(SetAcceptLanguage(acceptLanguage: language.accepted), in: session)
        }
        link.post(RunIfWaiting(), in: session)
    }

    /// The session of a page that has just been made.
    func session(ofNew target: String) -> String? { state.withLock { $0.sessions[target] } }

    /// Has a page that has just been made load an address, in the language.
    ///
    /// - Returns: False: it has no session, or there is no language.
    func lead(_ target: String, to url: String, limit: Duration) async throws(BrowserFault) -> Bool {
        guard let session = session(ofNew: target), let language else { return false }
        // What the page's process has not taken up by then, the process of the next document hears of when that document runs already.
        // It answers one after the other, so this once more is for its answer.
        do {
            try await link.call(SetAcceptLanguage(acceptLanguage: language.accepted), in: session, limit: limit)
        } catch .refused {
        }
        link.post(Navigate(url: url), in: session)
        return true
    }

    /// Makes a page the agent's own.
    func opening(_ open: () async throws(BrowserFault) -> String) async throws(BrowserFault) {
        state.withLock { $0.targets.pages.beginOpening() }
        var opened: String?
        defer {
            let strangers = state.withLock { [opened] in $0.targets.pages.endOpening(opened) }
            for target in strangers { link.post(CloseTarget(targetId: target)) }
        }
        opened = try await open()
    }

    /// From here on a hidden page of ours is at the provider; its steps go there.
    func beginLogOut(_ page: RequestRules.HiddenPage, _ steps: HiddenLogOut.Steps.Continuation) {
        state.withLock { $0.steps = steps }
        link.post(change { $0.hidden = page })
    }

    func name(hidden target: String) { state.withLock { $0.rules.hidden?.frame = target } }

    /// Its target, as far as known.
    func endLogOut() -> String? {
        let target = state.withLock { state in
            state.steps = nil
            return state.rules.hidden?.frame
        }
        link.post(change { $0.hidden = nil })
        return target
    }

    /// From here on a request for this address is answered with nothing, and told.
    func beginTrial(_ url: String, _ seen: AsyncStream<Void>.Continuation) {
        state.withLock { $0.trials[url] = seen }
    }

    func endTrial(_ url: String) { state.withLock { $0.trials[url] = nil } }

    private func noteAnswer(_ request: PausedRequest) {
        let steps = state.withLock { state in state.rules.isOurs(request) ? state.steps : nil }
        steps?.yield(request.responseStatusCode == nil ? .failed : .answered)
        link.post(ContinueRequest(requestId: request.requestId))
    }

    private func decide(_ request: PausedRequest) {
        let (decision, isTooMuch, steps) = state.withLock { state in
            if let seen = state.trials[request.request.url] {
                seen.yield()
                return (RequestRules.Decision.stay, false, state.steps)
            }
            let decision = state.rules.decide(request)
            state.lastRequest = .now
            let isTooMuch = decision == .answer && state.held >= Self.mostHeld
            if decision == .answer && !isTooMuch { state.held += 1 }
            return (decision, isTooMuch, state.steps)
        }
        switch decision {
        case .pass: link.post(ContinueRequest(requestId: request.requestId))
        case .report:
            // Before the request goes on. Too many to be told apart: one that floods us is cut off.
            if case .dropped = work.yield(.saw(request.request.url)) { link.close() }
            link.post(ContinueRequest(requestId: request.requestId))
        case .refuse: link.post(FailRequest(requestId: request.requestId))
        case .stay: link.post(FulfillRequest(requestId: request.requestId, responseCode: 204))
        case .confirm:
            steps?.yield(.confirmed)
            link.post(FulfillRequest(requestId: request.requestId, responseCode: 200))
        case .answer where isTooMuch: link.post(FulfillRequest(requestId: request.requestId, responseCode: 503))
        case .answer: if case .dropped = work.yield(.answer(request)) { link.close() }
        }
    }

    private func perform(_ work: Work) async {
        switch work {
        case .saw(let url): await pages.saw(url, in: browser)
        case .lost: await pages.lost(in: browser)
        case .answer(let paused):
            let response = await response(to: paused)
            link.post(
                FulfillRequest(
                    requestId: paused.requestId, responseCode: response.status,
                    responseHeaders: response.headers.map { FulfillRequest.Header(name: $0.name, value: $0.value) },
                    body: Data(response.body.utf8).base64EncodedString()))
            state.withLock { $0.held -= 1 }
        }
    }

    private func response(to paused: PausedRequest) async -> BrowserResponse {
        guard let body = Self.body(of: paused.request) else { return BrowserResponse(status: 413) }
        var headers: [String: String] = [:]
        for (name, value) in paused.request.headers ?? [:] { headers[name.lowercased()] = value }
        return await pages.answer(
            BrowserRequest(
                browser: browser, method: paused.request.method, url: paused.request.url, headers: headers, body: body))
    }

    /// Nil when it is too long, or a file.
    private static func body(of request: PausedRequest.Request) -> String? {
        guard request.hasPostData == true else { return "" }
        var body = Data()
        for part in request.postDataEntries ?? [] {
            // Four characters of base64 are three bytes.
            guard let text = part.bytes, text.utf8.count / 4 * 3 <= longestBody + 3,
                let bytes = Data(base64Encoded: text), bytes.count <= longestBody - body.count
            else { return nil }
            body.append(bytes)
        }
        return String(decoding: body, as: UTF8.self)
    }
}
