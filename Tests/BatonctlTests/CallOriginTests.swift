import Baton
import BusTesting
import Identity
import Synchronization
import Testing

@testable import BatonctlProgram

/// The way of a token: which origin may have it, and that no other gets it.
struct CallOriginTests {
    /// Answers by address, and keeps what was sent where.
    private final class Web: HTTPExchange {
        private let answers: [String: HTTPResponse]
        private let seen = Mutex<[(url: String, authorization: String?)]>([])

        var sent: [(url: String, authorization: String?)] { seen.withLock { $0 } }

        init(_ answers: [String: HTTPResponse]) { self.answers = answers }

        func send(_ request: HTTPRequest) async throws(IdentityError) -> HTTPResponse {
            let authorization = request.headers.first { $0.name == "Authorization" }?.value
            seen.withLock { $0.append((request.url, authorization)) }
            guard let answer = answers[request.url] else { throw IdentityError(.network) }
            return answer
        }
    }

    private static let token = TokenResult(
        accessToken: "canary", expires: 7, scopes: [], account: Account(id: "a"), authority: "", correlationID: "c",
        epoch: 1)

    private func moved(_ status: Int, to location: String) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Location", location)])
    }

    private func send(_ url: String, _ answers: [String: HTTPResponse]) async throws -> (
        answer: HTTPResponse, sent: [(url: String, authorization: String?)], left: [String]
    ) {
        let web = Web(answers)
        let left = Mutex<[String]>([])
        let call = BearerCall(url: url, http: web) { origin in left.withLock { $0.append(origin.text) } }
        let answer = try await call.send(Self.token)
        return (answer, web.sent, left.withLock { $0 })
    }

    @Test func `the token goes with the request`() async throws {
        let run = try await send("https://api.example/me", ["https://api.example/me": HTTPResponse(status: 200)])
        #expect(run.answer.status == 200 && run.sent.map(\.authorization) == ["Bearer canary"] && run.left.isEmpty)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `within the origin the token goes along, elsewhere it is dropped for good`(status: Int) async throws {
        let run = try await send(
            "https://api.example/a",
            [
                "https://api.example/a": moved(status, to: "/b#part"),
                "https://api.example/b": moved(status, to: "https://API.example:443/c"),
                "https://API.example:443/c": moved(status, to: "//other.example/d"),
                "https://other.example/d": moved(status, to: "https://api.example/e"),
                "https://api.example/e": HTTPResponse(status: 401),
            ])
        #expect(
            run.sent.map(\.authorization) == ["Bearer canary", "Bearer canary", "Bearer canary", nil, nil],
            "\(run.sent)")
        #expect(run.left == ["https://other.example"] && run.answer.status == 401)
    }

    @Test(arguments: [
        "http://api.example/b", "https://api.example:444/b", "http://127.0.0.1/b", "https://api.example.evil.example/b",
        "https://sub.api.example/b",
    ])
    func `another scheme, port or host is elsewhere`(location: String) async throws {
        let answers = ["https://api.example/a": moved(302, to: location), location: HTTPResponse(status: 200)]
        if CallOrigin(location) == nil {
            await #expect(throws: BearerCall.Failure.self) { _ = try await send("https://api.example/a", answers) }
        } else {
            let run = try await send("https://api.example/a", answers)
            #expect(run.sent.map(\.authorization) == ["Bearer canary", nil])
        }
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:1", "https://me@api.example/", "http://api.example/", ""])
    func `an answer that leads nowhere is no way`(location: String) async throws {
        await #expect(throws: BearerCall.Failure.self) {
            // An empty address is the same one again, for ever.
            _ = try await send("https://api.example/a", ["https://api.example/a": moved(302, to: location)])
        }
    }

    @Test(arguments: [
        ("b", "https://api.example/v1/b"), ("./b?c#d", "https://api.example/v1/b?c"),
        ("../b", "https://api.example/b"), ("../../../b", "https://api.example/b"),
        ("?c", "https://api.example/v1/a?c"),
        ("/@other.example", "https://api.example/@other.example"), ("//api.example/b", "https://api.example/b"),
    ])
    func `a part of an address stays within the origin`(location: String, next: String) async throws {
        let run = try await send(
            "https://api.example/v1/a",
            ["https://api.example/v1/a": moved(307, to: location), next: HTTPResponse(status: 200)])
        #expect(run.sent.map(\.url) == ["https://api.example/v1/a", next], "\(run.sent)")
        #expect(run.sent.map(\.authorization) == ["Bearer canary", "Bearer canary"] && run.left.isEmpty)
    }

    @Test(arguments: [
        "https:b", "https:/b", "https:///b", "///other.example/b", "//", "\\\\other.example/b", "/\\other.example/b",
        "https:\\\\other.example", "//me@api.example/", "//other.example\\@api.example/", "/b\u{0}", "/b\u{7F}", "/ b",
        "\n//other.example/b",
    ])
    func `a redirect that others may read otherwise is not followed`(location: String) async throws {
        let web = Web(["https://api.example/a": moved(302, to: location)])
        let call = BearerCall(url: "https://api.example/a", http: web) { _ in }
        await #expect(throws: BearerCall.Failure.self) { _ = try await call.send(Self.token) }
        #expect(web.sent.map(\.url) == ["https://api.example/a"])
    }

    @Test(arguments: [
        ("https://Graph.Microsoft.com/v1.0/me", "https://graph.microsoft.com"),
        ("https://graph.microsoft.com:443/", "https://graph.microsoft.com"),
        ("https://graph.microsoft.com?x", "https://graph.microsoft.com"),
        ("http://127.0.0.1:8080/me", "http://127.0.0.1:8080"), ("http://localhost:80/me", "http://localhost"),
        ("http://[::1]:8080/me", "http://[::1]:8080"), ("https://a.example:8443", "https://a.example:8443"),
    ])
    func `an origin is scheme, host and port`(url: String, origin: String) {
        #expect(CallOrigin(url)?.text == origin)
    }

    @Test(arguments: [
        "http://graph.microsoft.com/", "https://me:pw@graph.microsoft.com/", "ftp://127.0.0.1/", "graph.microsoft.com",
        "https://", "https:///me", "", "https://a b/", "http://127.0.0.1.evil.example/", "http://127.1/",
    ])
    func `what is neither https nor loopback has no origin`(url: String) { #expect(CallOrigin(url) == nil) }

    @Test func `only listed origins pass`() throws {
        let origin = try #require(CallOrigin("https://graph.microsoft.com/v1.0/me"))
        try origin.check(listed: ["http://127.0.0.1:8080", "https://graph.microsoft.com"])
        try origin.check(listed: ["https://graph.microsoft.com:443/"])
        for wrong in [[], ["https://microsoft.com"], ["https://graph.microsoft.com:444"], ["graph.microsoft.com"]] {
            #expect(throws: CallOrigin.Refused.self) { try origin.check(listed: wrong) }
        }
    }

    @Test(
        arguments: [(200, 0), (204, 0), (301, 3), (404, 4), (500, 5), (599, 5), (100, 1), (600, 1)] as [(Int, Int32)])
    func `the status is the exit code`(status: Int, code: Int32) { #expect(ExitStatus.of(httpStatus: status) == code) }
}
