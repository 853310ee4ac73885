import Testing

@testable import Browsers

struct ChromiumRuleTests {
    private func request(_ url: String, frame: String? = nil, type: String = "Document") -> PausedRequest {
        PausedRequest(
            requestId: "1", request: PausedRequest.Request(url: url, method: "GET"), frameId: frame, resourceType: type)
    }

    private func rules(allow: [String] = [], answered: [String] = [], reach: BrowserReach = .turn) throws
        -> RequestRules
    {
        var setup = BrowserSetup(executable: "/bin/true", address: "https://baton.invalid")
        setup.allow = allow
        setup.answered = answered
        var rules = try #require(RequestRules(setup))
        rules.reach = reach
        return rules
    }

    /// What mutates cannot stand in the macro.
    private func expect(
        _ decision: RequestRules.Decision, of request: PausedRequest, _ rules: inout RequestRules,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let made = rules.decide(request)
        #expect(made == decision, sourceLocation: sourceLocation)
    }

    private func expect(
        _ mustClose: Bool, _ target: TargetInfo, _ targets: inout PageTargets,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let closes = targets.mustClose(target)
        #expect(closes == mustClose, sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        ("https://Host.Example:443/a?b#c", "https://host.example", "/a"), ("http://h:80", "http://h", "/"),
        ("https://h:8443/x/", "https://h:8443", "/x/"), ("https://user:pw@h/@x", "https://h", "/@x"),
        ("http://[::1]:8080/?", "http://[::1]:8080", "/"),
    ]) func `an address is origin and path`(url: String, origin: String, path: String) throws {
        let address = try #require(PageAddress(url))
        #expect(address.origin == origin)
        #expect(address.path == path)
    }

    @Test(arguments: [
        "", "https://", "https:///x", "file:///etc/passwd", "javascript:alert(1)", "://", "data:,://", "é",
    ])
    func `anything else is none`(url: String) { #expect(PageAddress(url) == nil) }

    @Test func `requests to us are answered, watched ones reported, others go on`() throws {
        var rules = try rules(answered: ["https://app.example/callback"])
        rules.watched = [try #require(PageAddress("https://op.example/logout"))]
        expect(.answer, of: request("https://baton.invalid/x"), &rules)
        expect(.answer, of: request("https://app.example/callback?code=1"), &rules)
        expect(.pass, of: request("https://app.example/callback/other"), &rules)
        expect(.pass, of: request("https://baton.invalid.example/x"), &rules)
        expect(.report, of: request("https://op.example/logout?x", type: "XHR"), &rules)
        expect(.pass, of: request("http://op.example/logout"), &rules)
        expect(.refuse, of: request("file:///etc/passwd"), &rules)
        expect(.pass, of: request("blob:https://app.example/1"), &rules)
    }

    @Test func `with a list, other pages are refused and their parts are not`() throws {
        var rules = try rules(allow: ["https://intranet.example", "shop.example"])
        expect(.pass, of: request("https://intranet.example/"), &rules)
        expect(.refuse, of: request("http://intranet.example/"), &rules)
        expect(.pass, of: request("http://shop.example:81/"), &rules)
        expect(.refuse, of: request("https://x.shop.example/"), &rules)
        expect(.pass, of: request("https://x.shop.example/", type: "Image"), &rules)
        expect(.answer, of: request("https://baton.invalid/"), &rules)
        rules.opened = ["https://op.example"]
        expect(.pass, of: request("https://op.example/sign-in"), &rules)
    }

    @Test func `our hidden page is not reported, and only its own answer confirms`() throws {
        var rules = try rules(allow: ["nowhere"])
        let logOut = "https://op.example/logout?state=abc"
        rules.watched = [try #require(PageAddress("https://op.example/logout"))]
        rules.hidden = RequestRules.HiddenPage(url: logOut, answer: "https://baton.invalid/out?state=abc")
        expect(.report, of: request("https://op.example/logout", frame: "A"), &rules)
        expect(.pass, of: request(logOut, frame: "B"), &rules)
        #expect(rules.hidden?.frame == "B")
        expect(.pass, of: request("https://op.example/logout?again", frame: "B"), &rules)
        expect(.report, of: request(logOut, frame: "C"), &rules)
        expect(.pass, of: request("https://elsewhere.example/", frame: "B"), &rules)
        expect(.answer, of: request("https://baton.invalid/out?state=abd", frame: "B"), &rules)
        expect(.confirm, of: request("https://baton.invalid/out?x=1&state=abc", frame: "B"), &rules)
    }

    @Test func `on a free device documents come from the virtual origin, and in a sign-in from the provider`() throws {
        var free = try rules(allow: ["https://intranet.example"])
        free.reach = .startPage
        free.opened = ["https://intranet.example"]
        expect(.answer, of: request("https://baton.invalid/"), &free)
        expect(.stay, of: request("https://intranet.example/"), &free)
        expect(.refuse, of: request("https://intranet.example/", type: "Image"), &free)
        expect(.refuse, of: request("blob:https://baton.invalid/1"), &free)
        #expect(free.patterns.map(\.urlPattern).contains("*"))
        free.reach = .signIn(["https://op.example", "login.example"])
        expect(.pass, of: request("https://op.example/sign-in"), &free)
        expect(.pass, of: request("http://login.example:8080/"), &free)
        expect(.stay, of: request("https://op.example:444/"), &free)
        expect(.stay, of: request("https://intranet.example/"), &free)
        expect(.pass, of: request("https://elsewhere.example/", type: "Script"), &free)
    }

    @Test func `on a free device only the page that the agent opened stays, and its loss is noticed`() {
        var targets = PageTargets()
        targets.pages.beginOpening()
        expect(false, TargetInfo(targetId: "ours", type: "page", url: ""), &targets)
        expect(false, TargetInfo(targetId: "F1", type: "page", url: ""), &targets)
        let strangers = targets.pages.endOpening("ours")
        #expect(strangers == ["F1"])
        expect(false, TargetInfo(targetId: "ours", type: "page", url: "https://x/"), &targets)
        expect(true, TargetInfo(targetId: "new", type: "page", url: "about:blank"), &targets)
        let losses = ["F1", "new", "ours", "ours"].map { targets.pages.remove($0) }
        #expect(losses == [false, false, true, false])
    }

    @Test func `a worker's pages are lost with the last of them`() {
        var targets = PageTargets()
        targets.pages.isFree = false
        targets.pages.beginOpening()
        let strangers = targets.pages.endOpening("ours")
        #expect(strangers == [])
        for id in ["ours", "second"] {
            expect(false, TargetInfo(targetId: id, type: "page", url: "https://x/"), &targets)
        }
        let losses = ["ours", "second"].map { targets.pages.remove($0) }
        #expect(losses == [false, true])
    }

    @Test func `patterns mean the addresses themselves`() throws {
        var rules = try rules()
        rules.watched = [try #require(PageAddress("https://op.example/a*b"))]
        #expect(rules.patterns.map(\.urlPattern) == ["https://baton.invalid/*", "https://op.example/a\\*b*", "file:*"])
    }

    @Test func `no more tabs than the limit, and none of the browser's own tools`() {
        var targets = PageTargets()
        targets.pages.isFree = false
        for index in 0..<PageTargets.most {
            expect(false, TargetInfo(targetId: "\(index)", type: "page", url: "https://x/"), &targets)
        }
        expect(true, TargetInfo(targetId: "new", type: "page", url: ""), &targets)
        expect(false, TargetInfo(targetId: "3", type: "page", url: "https://y/"), &targets)
        expect(true, TargetInfo(targetId: "3", type: "page", url: "devtools://devtools/x"), &targets)
        expect(false, TargetInfo(targetId: "new", type: "iframe", url: ""), &targets)
        let isLost = targets.pages.remove("5")
        #expect(!isLost)
        expect(false, TargetInfo(targetId: "new", type: "page", url: ""), &targets)
    }

    @Test(arguments: [
        ("h", "/", false, "http://h/", true), (".h", "/", false, "http://a.h/", true),
        ("h", "/", false, "http://a.h/", false), (".h", "/", false, "http://ah/", false),
        ("h", "/a", false, "http://h/ab", false), ("h", "/a", false, "http://h/a/b", true),
        ("h", "/", true, "http://h/", false), ("h", "/", true, "https://h/", true),
    ]) func `a cookie is sent where it belongs`(
        domain: String, path: String, secure: Bool, url: String, isSent: Bool
    ) throws {
        let cookie = GetCookies.Cookie(name: "c", domain: domain, path: path, httpOnly: true, secure: secure)
        #expect(cookie.isSent(to: try #require(PageAddress(url))) == isSent)
    }
}
