import LinuxSystem
import Synchronization

/// Whether a Chromium does what the agent rests on: that requests are seen at the level of the browser, those of hidden pages
/// too, and can be answered. No version of it promises that.
///
/// It is made in the first browser of a program when its first page is open, since hidden pages need a window: that is the start
/// page of a free device, of which no worker has had anything yet.
struct ChromiumTrial: Sendable {
    /// Programs that have passed.
    final class Passed: Sendable {
        private let programs = Mutex<Set<String>>([])

        func contains(_ program: String) -> Bool { programs.withLock { $0.contains(program) } }
        func insert(_ program: String) { programs.withLock { _ = $0.insert(program) } }
    }

    let passed: Passed
    /// Another one after an update of its package.
    let program: String
    /// The agent's own, at which nothing is loaded.
    let address: String
    let limit: Duration

    /// - Throws: ``BrowserFault/unfit(_:)`` where the browser refuses or does not ask.
    func run(_ link: ChromiumLink, _ traffic: ChromiumTraffic) async throws(BrowserFault) {
        guard !passed.contains(program) else { return }
        // Such as no page can know.
        let url = (PageAddress(address)?.origin ?? address) + "/trial-\(UInt64.random(in: .min ... .max))"
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        traffic.beginTrial(url, request)
        defer { traffic.endTrial(url) }
        let target: String
        do {
            target = try await link.call(CreateTarget.hidden(url), limit: limit).targetId
        } catch .refused(let method, let why) {
            throw .unfit("\(method): \(why)")
        }
        defer { link.post(CloseTarget(targetId: target)) }
        guard await requests.first(within: limit) != nil else {
            throw .unfit("it does not ask before it loads a page")
        }
        passed.insert(program)
    }
}
