import FolderTesting
import Testing

@testable import Identity

@Suite("Requests to the provider", .timeLimit(.minutes(2)))
struct HTTPSExchangeTests {
    /// An exchange for the time of the call.
    private func exchange<Value: Sendable>(
        timeout: Duration = .seconds(10), authority: String? = TestCertificates.authority, proxy: String? = nil,
        _ body: (HTTPSExchange) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder("ca")
        let file = try authority.map { try folder.write($0, to: "ca.pem") }
        let exchange = try HTTPSExchange(requestTimeout: timeout, caFile: file, proxy: proxy)
        do {
            let value = try await body(exchange)
            await exchange.shutdown()
            return value
        } catch {
            await exchange.shutdown()
            throw error
        }
    }

    private func cause(_ exchange: HTTPSExchange, _ url: String) async -> IdentityError.Cause? {
        await refusal { () async throws(IdentityError) in
            try await exchange.send(HTTPRequest(.get, url, correlationID: "c-1"))
        }
    }

    @Test func `a request says what it wants and carries its form`() async throws {
        try await LoopbackServer.run(answer: { _ in
            HTTPResponse(status: 418, headers: [(name: "X-Tea", value: "pot")], body: Array("short".utf8))
        }) { server in
            try await exchange { exchange in
                let every =
                    String(String.UnicodeScalarView((0x20...0x7E).compactMap { Unicode.Scalar($0) })) + "ž\n\u{0}😀"
                let response = try await exchange.send(
                    HTTPRequest(
                        .post, server.url + "/token?x=1",
                        form: [(name: "a b", value: every), (name: "a b", value: "")],
                        headers: [(name: "Authorization", value: "Basic eA==")], correlationID: "c-1"))
                #expect(response.status == 418 && response.header("x-tea") == "pot")
                #expect(response.body == Array("short".utf8))
                let request = try #require(server.requests.first)
                #expect(request.method == "POST" && request.target == "/token?x=1")
                #expect(request.header("accept") == "application/json" && request.header("user-agent") == "Baton")
                #expect(request.header("client-request-id") == "c-1")
                #expect(request.header("authorization") == "Basic eA==")
                #expect(request.header("accept-encoding") == nil)
                #expect(request.header("content-type") == "application/x-www-form-urlencoded")
                #expect(
                    request.body == "a%20b=%20%21%22%23%24%25%26%27%28%29%2A%2B%2C-.%2F0123456789%3A%3B%3C%3D%3E%3F%40"
                        + "ABCDEFGHIJKLMNOPQRSTUVWXYZ%5B%5C%5D%5E_%60abcdefghijklmnopqrstuvwxyz%7B%7C%7D~"
                        + "%C5%BE%0A%00%F0%9F%98%80&a%20b=")
            }
        }
    }

    @Test(arguments: [("X", "a\r\nY: b"), ("X", "\u{0}"), ("X", "ž"), ("X: y", "z"), ("", "z"), ("X\n", "z")])
    func `a header field cannot carry another one`(name: String, value: String) async throws {
        try await LoopbackServer.run(answer: { _ in .init(status: 200) }) { server in
            try await exchange { exchange in
                let cause = await refusal { () async throws(IdentityError) in
                    try await exchange.send(
                        HTTPRequest(.get, server.url, headers: [(name: name, value: value)], correlationID: "c-1"))
                }
                #expect(cause?.isMisconfiguration == true && server.requests.isEmpty)
            }
        }
    }

    @Test func `redirects are handed back, not followed`() async throws {
        try await LoopbackServer.run(answer: { _ in
            HTTPResponse(status: 302, headers: [(name: "Location", value: "/elsewhere")])
        }) { server in
            try await exchange { exchange in
                let response = try await exchange.send(HTTPRequest(.get, server.url, correlationID: "c-1"))
                #expect(response.status == 302 && server.requests.count == 1)
            }
        }
    }

    @Test func `an encrypted connection is made to who the certificate names`() async throws {
        try await LoopbackServer.run(certificate: TestCertificates.localhost, answer: { _ in .init(status: 200) }) {
            server in
            try await exchange { exchange in
                #expect(await cause(exchange, "https://localhost:\(server.port)/") == nil)
                #expect(await cause(exchange, "https://127.0.0.1:\(server.port)/") == nil)
                // The server speaks TLS only.
                #expect(await cause(exchange, "http://localhost:\(server.port)/") != nil)
            }
            // Neither another CA nor the system's know the server.
            try await exchange(authority: TestCertificates.anotherAuthority) { exchange in
                #expect(await cause(exchange, "https://localhost:\(server.port)/") == .tls)
            }
            try await exchange(authority: nil) { exchange in
                #expect(await cause(exchange, "https://localhost:\(server.port)/") == .tls)
            }
        }
    }

    @Test(arguments: [TestCertificates.elsewhere, TestCertificates.expired])
    func `a certificate for another host or of another time is refused`(
        certificate: TestCertificates.Pair
    ) async throws {
        try await LoopbackServer.run(certificate: certificate, answer: { _ in .init(status: 200) }) { server in
            try await exchange { exchange in
                #expect(await cause(exchange, "https://localhost:\(server.port)/") == .tls)
            }
        }
    }

    @Test(arguments: [
        "http://example.com/", "http://127.0.0.1.example.com/", "http://localhost.example.com/", "http://128.0.0.1/",
        "http://127.0.0.1@example.com/", "http://127.1/", "http://0x7f.0.0.1/", "http://[::ffff:127.0.0.1]/",
        "ftp://127.0.0.1/", "file:///etc/passwd", "unix:///run/x", "https://", "https://a b/", "https://ex\u{e4}mple/",
        "https://user@example.com/", "https://example.com/#x", "https://example.com:0/", "https://example.com:99999/",
        "https://example.com\\@127.0.0.1/", "",
    ])
    func `nothing leaves the machine without encryption, nor to an odd address`(url: String) async throws {
        try await exchange { exchange in
            #expect(await cause(exchange, url)?.isMisconfiguration == true)
        }
    }

    @Test func `a refused connection is a fault of the network`() async throws {
        let port = try await LoopbackServer.run(answer: { _ in .init(status: 200) }) { $0.port }
        try await exchange { exchange in
            #expect(await cause(exchange, "http://127.0.0.1:\(port)/") == .network)
            // Where no name server answers, the time runs out.
            let unknown = await cause(exchange, "https://no-such-host.invalid/")
            #expect(unknown == .network || unknown == .timeout)
        }
    }

    @Test func `the deadline covers the whole answer`() async throws {
        let start = Array("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{".utf8)
        let conducts: [RawServer.Conduct] = [
            .silence, .trickle(start, 0x20), .trickle(Array("HTTP/1.1 200 OK\r\nX: ".utf8), 0x61),
            .trickle(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8), 0x30),
        ]
        for conduct in conducts {
            try await RawServer.run({ conduct }) { url in
                try await exchange(timeout: .milliseconds(400)) { exchange in
                    let clock = ContinuousClock()
                    let begin = clock.now
                    #expect(await cause(exchange, url) == .timeout)
                    #expect(clock.now - begin < .seconds(10))
                }
            }
        }
    }

    @Test func `a large answer is not read to its end`() async throws {
        let chunk = Array("10000\r\n".utf8) + Array(repeating: 0x20, count: 0x10000) + Array("\r\n".utf8)
        let conducts: [RawServer.Conduct] = [
            .say(Array("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n".utf8)),
            .flood(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8), chunk),
            .flood(Array("HTTP/1.1 200 OK\r\n\r\n".utf8), Array(repeating: 0x20, count: 0x10000)),
        ]
        for conduct in conducts {
            try await RawServer.run({ conduct }) { url in
                try await exchange { exchange in
                    #expect(await cause(exchange, url) == .invalidAnswer(what: "the answer's body is too large"))
                }
            }
        }
    }

    @Test func `a body of the largest size still arrives`() async throws {
        let body = Array(repeating: UInt8(0x20), count: HTTPResponse.largestBody)
        try await LoopbackServer.run(answer: { _ in HTTPResponse(status: 200, body: body) }) { server in
            try await exchange { exchange in
                let response = try await exchange.send(HTTPRequest(.get, server.url, correlationID: ""))
                #expect(response.body.count == HTTPResponse.largestBody)
            }
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 70_000))\r\nContent-Length: 0\r\n\r\n",
        String(repeating: "X: y\r\n", count: 200_000), "GET / HTTP/1.1\r\n\r\n", "\u{0}\u{0}\u{0}",
        "HTTP/9.9 999 \r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ])
    func `an answer that is not good HTTP is refused`(answer: String) async throws {
        let text = answer.hasPrefix("X:") ? "HTTP/1.1 200 OK\r\n" + answer + "\r\n" : answer
        try await RawServer.run({ .say(Array(text.utf8)) }) { url in
            try await exchange { exchange in
                let cause = await cause(exchange, url)
                #expect(cause?.isInvalidAnswer == true || cause == .network, "\(String(describing: cause))")
            }
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", "HTTP/1.1 20"])
    func `an answer that breaks off is a fault of the network`(answer: String) async throws {
        try await RawServer.run({ .say(Array(answer.utf8)) }) { url in
            try await exchange { exchange in
                let cause = await cause(exchange, url)
                #expect(cause == .network || cause?.isInvalidAnswer == true)
            }
        }
    }

    @Test func `a cancelled task ends its request`() async throws {
        try await RawServer.run({ .silence }) { url in
            try await exchange(timeout: .seconds(60)) { exchange in
                let task = Task { await cause(exchange, url) }
                task.cancel()
                #expect(await task.value == .canceled)
            }
        }
    }

    @Test func `nothing is sent after shutdown`() async throws {
        try await LoopbackServer.run(answer: { _ in .init(status: 200) }) { server in
            let exchange = try HTTPSExchange(requestTimeout: .seconds(5), caFile: nil, proxy: nil)
            await exchange.shutdown()
            #expect(await cause(exchange, server.url) == .canceled && server.requests.isEmpty)
            await exchange.shutdown()
        }
    }

    @Test func `an exchange that nobody shut down ends quietly`() throws {
        _ = try HTTPSExchange(requestTimeout: .seconds(1), caFile: nil, proxy: nil)
    }

    @Test func `a proxy carries what is encrypted and never sees loopback`() async throws {
        try await LoopbackServer.run(answer: { _ in .init(status: 403) }) { proxy in
            try await LoopbackServer.run(answer: { _ in .init(status: 200) }) { server in
                try await exchange(proxy: proxy.url) { exchange in
                    #expect(await cause(exchange, server.url) == nil)
                    #expect(await cause(exchange, "https://login.example.com/") == .network)
                }
            }
            #expect(proxy.requests.map(\.method) == ["CONNECT"])
        }
    }

    @Test(arguments: [
        "https://proxy:8080", "proxy:8080", "http://user:word@proxy:8080", "http://proxy", "http://proxy:1/x",
    ])
    func `a proxy of another form is a fault of the settings`(proxy: String) {
        #expect(throws: IdentityError(.misconfigured(what: "the proxy is not of the form http://host:port"))) {
            _ = try HTTPSExchange(requestTimeout: .seconds(1), caFile: nil, proxy: proxy)
        }
    }

    @Test(arguments: ["/no/such/file", "/dev/null"])
    func `a CA file that holds no certificate is a fault of the settings`(file: String) {
        #expect(
            throws: IdentityError(.misconfigured(what: "the CA file cannot be read or holds no PEM certificate"))
        ) { _ = try HTTPSExchange(requestTimeout: .seconds(1), caFile: file, proxy: nil) }
    }
}
