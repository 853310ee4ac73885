import Baton
import DBus
import Glibc
import ProviderTesting
import TerminalTesting
import Testing
import WebText

@Suite("A session that ends at the provider", .timeLimit(.minutes(2)))
struct ProviderNoticeTests {
    private let port: UInt16
    private let provider: DevelopmentProviderProcess
    private let ward: ProviderTerminal
    private let browser: FormBrowser
    private let epoch: Epoch

    init() async throws {
        port = try freePort()
        let page = "http://127.0.0.1:\(port)"
        provider = try await DevelopmentProviderProcess.start([
            "--backchannel-logout-uri", "\(page)/back-channel-logout",
            "--frontchannel-logout-uri", "\(page)/front-channel-logout",
        ])
        ward = try await ProviderTerminal.start(at: provider.issuer, identity: ["loopback-port: \(port)"])
        browser = provider.browser()
        epoch = try await ward.signIn(DevelopmentProviderProcess.ana, with: browser).epoch
    }

    private func waitForSignOut(_ cause: () async throws -> Void) async throws -> Receipt {
        let peer = try await Peer(ward.terminal)
        let outs = try await peer.signals(Device1.signedOut)
        try await cause()
        for try await out in outs {
            #expect(out.values.0 == epoch)
            break
        }
        return try await ward.device.receipt(epoch)
    }

    @Test(arguments: ["none", "logout-token-without-exp", "replayed-logout-token"])
    func `the back channel signs the device out`(how: String) async throws {
        if how != "none" { try await provider.misbehave(how) }
        let receipt = try await waitForSignOut {
            try await provider.control("end-session", ["username": .string("ana")])
        }
        #expect(receipt.reason == .provider && receipt.provider == .signedOut)
        #expect(
            receipt.providerExplanation.contains("reported that its session has ended"),
            "\(receipt.providerExplanation)")
        #expect(try await ward.phase() == .ready)
    }

    @Test func `a log-out of the same worker's session elsewhere changes nothing here`() async throws {
        let elsewhere = try await ProviderTerminal.start(at: provider.issuer)
        let other = provider.browser()
        try await elsewhere.signIn(DevelopmentProviderProcess.ana, with: other)
        _ = try await other.confirm(try await other.client.get("\(provider.issuer)/logout"))
        let line = try await provider.program.line(containing: "Sent a log-out token")
        #expect(line.contains("status=200"), "\(line)")
        #expect(try await ward.phase() == .inUse)
        // A log-out of this very session still ends the turn, and is the first that does.
        let receipt = try await waitForSignOut {
            try await provider.control("end-session", ["username": .string("ana")])
        }
        #expect(receipt.reason == .provider)
        #expect(ward.daemon.output.split(separator: "\n").count { $0.contains("has ended the session") } == 1)
    }

    @Test(arguments: [
        "logout-token-with-nonce", "logout-token-without-events", "logout-token-wrong-signature",
        "logout-token-wrong-audience",
    ])
    func `a logout token that breaks a rule signs nobody out`(how: String) async throws {
        try await provider.misbehave(how)
        try await provider.control("end-session", ["username": .string("ana")])
        let line = try await provider.program.line(containing: "Sent a log-out token")
        #expect(line.contains("status=4"), "\(line)")
        #expect(try await ward.phase() == .inUse)
    }

    @Test func `the provider's log-out page signs the device out by its frame`() async throws {
        // Its log-out token, which it sends at the same time, counts for nothing here.
        try await provider.misbehave("logout-token-wrong-signature")
        let page = try await browser.client.get("\(provider.issuer)/logout")
        let confirmed = try await browser.confirm(page)
        let frame = String(try #require(confirmed.text.firstMatch(of: /<iframe[^>]*src="([^"]+)"/)).output.1)
        let receipt = try await waitForSignOut {
            let answer = try await WebClient().get(frame.replacing("&amp;", with: "&"))
            #expect(answer.status == 200)
        }
        #expect(receipt.reason == .provider)
    }

    @Test func `a frame that names another session, issuer or nothing signs nobody out`() async throws {
        let page = "http://127.0.0.1:\(port)/front-channel-logout"
        for query in ["?iss=\(provider.issuer)&sid=x", "?iss=\(provider.issuer)", "?sid=x", "?iss=&sid=", ""] {
            #expect(try await WebClient().get(page + query).status == 400, "\(query)")
        }
        #expect(try await ward.phase() == .inUse)
    }

    @Test func `the pages carry a date, are kept by no browser, and nothing else is there`() async throws {
        let before = time(nil)
        let page = try await WebClient().get("http://127.0.0.1:\(port)/signed-out")
        #expect(page.status == 200 && page.header("cache-control") == "no-store")
        let date = try #require(page.header("date"))
        #expect((before...time(nil)).contains { Self.date($0) == date }, "\(date)")
        #expect(try await WebClient().get("http://127.0.0.1:\(port)/elsewhere").status == 404)
    }

    /// RFC 9110, section 5.6.7; the tests run with the names of locale C.
    private static func date(_ seconds: time_t) -> String {
        var (seconds, parts) = (seconds, tm())
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let length = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test func `what is no logout token is refused with 400`() async throws {
        let page = "http://127.0.0.1:\(port)/back-channel-logout"
        for form in [[], [("logout_token", "x.y.z")], [("logout_token", "")]] as [[(name: String, value: String)]] {
            #expect(try await WebClient().post(page, form: form).status == 400)
        }
        #expect(try await ward.phase() == .inUse)
    }
}
