import Glibc
import LinuxSystem
import Synchronization
import TurnControl
import Vocabulary

@testable import Browsers
@testable import Sandbox

/// A browser that misbehaves on demand: it will not start, never paints, does not end.
final class ScriptedBrowser: Browser, Confinement {
    struct Script: Sendable {
        var opens = true
        var paints = true
        var problem: String?
        var proof = Proof.namespace
        var cookies: Set<String>?
        var logOut = PageLogOut.silent
        var lastRequest = SuspendingClock.now
    }

    let name = "scripted"
    let process: ProcessHandle
    let pages: any BrowserPages
    let address: String
    private let state: Mutex<(script: Script, log: [String], waiters: [CheckedContinuation<Void, Never>], isGone: Bool)>

    init?(_ script: Script, address: String, pages: any BrowserPages) {
        guard let process = ProcessHandle(pid: getpid()) else { return nil }
        self.process = process
        self.pages = pages
        self.address = address
        state = Mutex((script, [], [], false))
    }

    var confinement: any Confinement { self }
    var proof: Proof { state.withLock { $0.script.proof } }
    var log: [String] { state.withLock { $0.log } }
    func script(_ change: (inout Script) -> Void) { state.withLock { change(&$0.script) } }
    private func note(_ word: String) -> Script {
        state.withLock {
            $0.log.append(word)
            return $0.script
        }
    }

    func open(_ url: String) async throws(BrowserFault) {
        let script = note("open \(url)")
        guard script.opens else { throw .silent }
        if script.paints, url == address + "/" { await paint() }
    }

    func paint() async {
        let url = address + "/"
        // As the real page does it: the token is in the document that only it can read.
        let id = ObjectIdentifier(process)
        let page = await pages.answer(BrowserRequest(browser: id, method: "GET", url: url))
        let token = page.body.firstMatch(of: /name="baton-token" content="([0-9a-f]+)"/).map { String($0.1) } ?? ""
        _ = await pages.answer(
            BrowserRequest(
                browser: id, method: "POST", url: address + "/painted",
                headers: ["x-baton-token": token, "origin": address], body: #"{"version":1}"#))
    }

    var lastRequest: SuspendingClock.Instant { state.withLock { $0.script.lastRequest } }

    func limit(to reach: BrowserReach) async throws(BrowserFault) { _ = note("limit \(reach)") }

    func setLanguage(_ language: PageLanguage) async throws(BrowserFault) {
        _ = note("language \(language.tag)")
    }

    func watch(_ addresses: [String]) async throws(BrowserFault) {
        _ = note("watch \(addresses.joined(separator: " "))")
    }

    func logOut(at url: String, answer: String, first: Duration, whole: Duration) async -> PageLogOut {
        note("log-out \(url)").logOut
    }

    func sessionCookies(of url: String) async -> Set<String>? { note("cookies").cookies }

    func end(limit: TimeLimit) async -> String? {
        let script = note("end")
        if script.problem == nil { close() }
        return script.problem
    }

    /// It ends by itself.
    func close() {
        let waiters = state.withLock { state in
            state.isGone = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func untilGone() async {
        await withCheckedContinuation { continuation in
            let isGone = state.withLock { state in
                if !state.isGone { state.waiters.append(continuation) }
                return state.isGone
            }
            if isGone { continuation.resume() }
        }
    }
}

/// Makes them, and remembers each.
final class ScriptedMaker: BrowserMaker {
    let canWait: Bool
    private struct State {
        var script: ScriptedBrowser.Script
        var made: [ScriptedBrowser] = []
        var users: [TurnNumber?] = []
        var failures = 0
        var isHeld = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ script: ScriptedBrowser.Script = .init(), canWait: Bool = true) {
        self.canWait = canWait
        state = Mutex(State(script: script))
    }

    var made: [ScriptedBrowser] { state.withLock { $0.made } }
    /// As which turn user each of them was to run.
    var users: [TurnNumber?] { state.withLock { $0.users } }
    /// Of those that are made from now on.
    func script(_ change: (inout ScriptedBrowser.Script) -> Void) { state.withLock { change(&$0.script) } }
    /// Starts wait until they are let go.
    func hold() { state.withLock { $0.isHeld = true } }
    var held: Int { state.withLock { $0.waiting.count } }
    func letGo() {
        let waiting = state.withLock { state in
            state.isHeld = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private func untilLetGo() async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.isHeld { state.waiting.append(continuation) }
                return state.isHeld
            }
            if !isHeld { continuation.resume() }
        }
    }

    /// - Parameter starts: How many of the next ones fail.
    func fail(_ starts: Int) { state.withLock { $0.failures = starts } }

    func start(_ setup: BrowserSetup, pages: any BrowserPages) async throws(BrowserFault) -> any Browser {
        await untilLetGo()
        let (script, isBroken) = state.withLock { state in
            defer { state.failures = max(0, state.failures - 1) }
            return (state.script, state.failures > 0)
        }
        guard !isBroken, let browser = ScriptedBrowser(script, address: setup.address, pages: pages) else {
            throw .notStarted("scripted")
        }
        state.withLock {
            $0.made.append(browser)
            $0.users.append(setup.user)
        }
        return browser
    }

    func version(_ executable: String) async -> String? { "scripted 1" }
}
