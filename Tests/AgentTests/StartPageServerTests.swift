import Synchronization
import Testing

@testable import Agent
@testable import Browsers

@Suite(.timeLimit(.minutes(1))) struct StartPageServerTests {
    static let address = "https://baton.invalid"
    let desk = StartPageServer(address: Self.address)
    let instance: BrowserInstance
    let browser: ScriptedBrowser
    let heard = Heard()

    final class Heard: Sendable {
        private let words = Mutex<[String]>([])
        func add(_ word: String) { words.withLock { $0.append(word) } }
        var all: [String] { words.withLock { $0 } }
    }

    init() async throws {
        browser = try #require(ScriptedBrowser(.init(), address: Self.address, pages: desk))
        instance = BrowserInstance(browser)
        await desk.add(instance)
        let heard = heard
        await desk.join(
            StartPageServer.Outside(
                wish: { wish in
                    heard.add("\(wish)")
                    return .plain("no")
                },
                response: { url in
                    heard.add(url)
                    return url.contains("code=right")
                },
                frontChannel: { issuer, session in
                    heard.add("\(issuer) \(session)")
                    return session == "right"
                },
                saw: { url, _ in heard.add("saw \(url)") }, lost: { _ in heard.add("lost") },
                icon: { $0 == "till" ? ("image/png", "AAAA") : nil }))
    }

    private func ask(
        _ method: String, _ path: String, token: String? = nil, origin: String? = Self.address, body: String = "",
        of browser: ObjectIdentifier? = nil
    ) async -> BrowserResponse {
        var headers: [String: String] = [:]
        headers["x-baton-token"] = token
        headers["origin"] = origin
        return await desk.answer(
            BrowserRequest(
                browser: browser ?? instance.id, method: method, url: Self.address + path, headers: headers, body: body)
        )
    }

    @Test func `a page with the token may sign out`() async {
        let answer = await ask("POST", "/wish", token: instance.token, body: #"{"wish":"sign-out"}"#)
        #expect(answer.body == #"{"message":"no"}"#)
        #expect(heard.all == ["signOut"])
    }

    @Test(arguments: ["https://evil.test", "null", "https://baton.invalid.evil.test", nil])
    func `a request of another origin changes nothing, token or not`(origin: String?) async {
        let answer = await ask("POST", "/wish", token: instance.token, origin: origin, body: #"{"wish":"sign-out"}"#)
        #expect(answer.status == 404)
        #expect(heard.all.isEmpty)
    }

    @Test func `without the token, or with that of another browser, nothing is answered`() async throws {
        let other = BrowserInstance(try #require(ScriptedBrowser(.init(), address: Self.address, pages: desk)))
        await desk.add(other)
        for token in [nil, "", other.token] {
            #expect(await ask("POST", "/wish", token: token, body: #"{"wish":"sign-out"}"#).status == 403)
            #expect(await ask("GET", "/state?since=0", token: token).status == 403)
        }
        #expect(heard.all.isEmpty)
    }

    @Test func `a browser that is gone is answered no more`() async {
        await desk.remove(instance)
        #expect(await ask("GET", "/").status == 403)
    }

    @Test(arguments: ["", "{", "[]", #"{"wish":"reboot"}"#, #"{"wish":"open"}"#, #"{"wish":"sign-in","username":""}"#])
    func `a wish that is none is refused`(body: String) async {
        #expect(await ask("POST", "/wish", token: instance.token, body: body).status == 400)
        #expect(heard.all.isEmpty)
    }

    @Test func `the provider's answer is handed on and the page goes back to the start`() async {
        let answer = await ask("GET", "/signed-in?code=right&state=x", origin: nil)
        #expect(answer.status == 303)
        #expect(heard.all == [Self.address + "/signed-in?code=right&state=x"])
    }

    @Test func `a front-channel log-out counts by the session's id alone`() async {
        #expect(await ask("GET", "/front-channel-logout?iss=https%3A%2F%2Fidp.test&sid=right").status == 200)
        #expect(await ask("GET", "/front-channel-logout?iss=https%3A%2F%2Fidp.test&sid=wrong").status == 400)
        #expect(await ask("GET", "/front-channel-logout").status == 400)
        #expect(heard.all == ["https://idp.test right", "https://idp.test wrong"])
    }

    @Test func `a question for newer state waits until there is some`() async throws {
        let first = await ask("GET", "/state?since=0", token: instance.token)
        #expect(first.body.contains(#""version":1"#))
        async let second = ask("GET", "/state?since=1", token: instance.token)
        await desk.change { $0.phase = "ready" }
        #expect(await second.body.contains(#""phase":"ready""#))
    }

    @Test func `the page is as current as the version that it says it shows`() async {
        func paints(_ version: Int) async {
            let answer = await ask(
                "POST", "/painted", token: instance.token, body: #"{"version":\#(version)}"#)
            #expect(answer.status == 200)
        }
        await desk.change { $0.phase = "ready" }
        await paints(1)
        async let isCurrent: Void = desk.untilCurrent(instance, atMost: .seconds(60))
        await paints(1)
        await paints(2)
        await isCurrent
        // One that never says it is not waited for.
        await desk.change { $0.phase = "in-use" }
        await desk.untilCurrent(instance, atMost: .milliseconds(1))
        #expect(await ask("POST", "/painted", token: instance.token, body: "{}").status == 400)
    }

    @Test func `the document has a token that a sibling's has not, and allows no frame`() async {
        let answer = await ask("GET", "/")
        #expect(answer.body.contains(instance.token))
        #expect(!answer.body.contains("{{"))
        let headers = Dictionary(answer.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        #expect(headers["X-Frame-Options"] == "DENY")
        #expect(headers["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true)
        #expect(headers["Cache-Control"] == "no-store")
    }

    @Test func `an app's icon comes as a data address`() async {
        #expect(await ask("GET", "/icon?app=till", token: instance.token).body.contains("data:image"))
        #expect(await ask("GET", "/icon?app=other", token: instance.token).status == 404)
    }
}

struct VirtualPathTests {
    private let address = "https://baton.invalid"

    @Test func `an address is taken apart`() {
        let path = VirtualPath("https://baton.invalid/state?since=3&a=b%20c+d&flag#top", at: address)
        #expect(path?.path == "/state")
        #expect(path?.query == ["since": "3", "a": "b c d", "flag": ""])
        #expect(VirtualPath("https://baton.invalid", at: address)?.path == "/")
    }

    @Test(arguments: ["https://baton.invalid.evil.test/", "https://baton.invalid:444/", "http://baton.invalid/", ""])
    func `another origin is none of ours`(url: String) {
        #expect(VirtualPath(url, at: address) == nil)
    }

    @Test(arguments: ["?a=%", "?a=%4", "?a=%+5", "?&&=&", "?a=%FF"])
    func `broken escapes trap nothing`(query: String) {
        #expect(VirtualPath(address + "/" + query, at: address)?.path == "/")
    }
}
