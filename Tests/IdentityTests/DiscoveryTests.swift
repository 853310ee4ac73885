import Synchronization
import Testing
import Vocabulary
import WebText

@testable import Identity

@Suite("Discovery", .timeLimit(.minutes(2)))
struct DiscoveryTests {
    @Test func `a document is kept while it is fresh`() async throws {
        try await VerificationBench.run { bench in
            let discovery = bench.verifier.discovery
            _ = try await discovery.metadata()
            bench.clock.advance(3599)
            _ = try await discovery.metadata()
            #expect(bench.discoveryRequests == 1)
            bench.clock.advance(1)
            _ = try await discovery.metadata()
            #expect(bench.discoveryRequests == 2)
            _ = try await discovery.metadata(forceRefresh: true)
            #expect(bench.discoveryRequests == 3)
            // A clock that is set back must not keep it for ever.
            bench.clock.advance(-100_000)
            _ = try await discovery.metadata()
            #expect(bench.discoveryRequests == 4)
        }
    }

    @Test(
        arguments: [
            (nil, 3600), ("max-age=600", 600), ("public, Max-Age=\"600\"", 600), ("max-age=0", 300), ("no-store", 300),
            ("max-age=99999999999999999999", 86400), ("max-age=-5", 3600), ("max-age=x", 3600), ("", 3600),
            ("max-age=600, no-cache", 600), (String(repeating: ",", count: 5000), 3600),
        ] as [(String?, Int64)])
    func `the provider says how long a document is fresh, within reason`(control: String?, lifetime: Int64) {
        let headers = control.map { [(name: "cache-control", value: $0)] } ?? []
        #expect(HTTPResponse(status: 200, headers: headers).lifetime == lifetime)
    }

    @Test func `one request serves all who wait, and one who leaves takes nothing from the others`() async throws {
        let gate = Gate()
        try await LoopbackServer.run(answer: { request in
            await gate.wait()
            return HTTPResponse(status: 200, body: gate.document(request))
        }) { server in
            let http = try HTTPSExchange(requestTimeout: .seconds(30), caFile: nil, proxy: nil)
            let discovery = Discovery(
                authority: try Authority(server.url), http: http, clock: SettableClock().identityClock)
            let impatient = Task { await refusal { () async throws(IdentityError) in try await discovery.metadata() } }
            let patient = (0..<100).map { _ in
                Task { await refusal { () async throws(IdentityError) in try await discovery.metadata() } }
            }
            impatient.cancel()
            #expect(await impatient.value == .canceled)
            gate.open()
            for task in patient { #expect(await task.value == nil) }
            #expect(server.requests.count == 1)
            await http.shutdown()
        }
    }

    @Test func `an old document serves while no new one can be had`() async throws {
        try await VerificationBench.run { bench in
            let discovery = bench.verifier.discovery
            let first = try await discovery.metadata()
            bench.clock.advance(4000)
            for fault in [
                HTTPResponse(status: 500), HTTPResponse(status: 200, body: Array("<html>".utf8)),
                HTTPResponse(status: 404), HTTPResponse(status: 302, headers: [(name: "Location", value: "/")]),
            ] {
                bench.script.change { $0.fault = fault }
                let served = try await discovery.metadata()
                #expect(served == first)
                let asked = bench.server.requests.count
                _ = try await discovery.metadata()
                #expect(bench.server.requests.count == asked, "not asked again at once")
                bench.clock.advance(6)
            }
            // Whoever wants a new one is told that there is none.
            bench.script.change { $0.fault = HTTPResponse(status: 500) }
            let cause = await refusal { () async throws(IdentityError) in
                try await discovery.metadata(forceRefresh: true)
            }
            #expect(cause == .unavailable(status: 500))
            bench.clock.advance(24 * 3600)
            let later = await refusal { () async throws(IdentityError) in try await discovery.metadata() }
            #expect(later == .unavailable(status: 500))
        }
    }

    @Test func `a failure is not remembered`() async throws {
        try await VerificationBench.run { bench in
            bench.script.change { $0.fault = HTTPResponse(status: 429) }
            let discovery = bench.verifier.discovery
            let cause = await refusal { () async throws(IdentityError) in try await discovery.metadata() }
            #expect(cause == .unavailable(status: 429))
            bench.script.change { $0.fault = nil }
            _ = try await discovery.metadata()
        }
    }

    @Test func `a refusal says the provider's code and numbers, and no text of its`() async throws {
        try await VerificationBench.run { bench in
            let body = #"{"error":"invalid_tenant","error_description":"SECRET","error_codes":[90002,"x",-1,9e99]}"#
            bench.script.change { $0.fault = HTTPResponse(status: 400, body: Array(body.utf8)) }
            let error = await #expect(throws: IdentityError.self) { _ = try await bench.verifier.discovery.metadata() }
            #expect(error?.cause == .rejected(code: "invalid_tenant", status: 400))
            #expect(error?.errorCodes == [90002, -1] && error?.correlationID.isEmpty == false)
            #expect(!"\(String(describing: error))".contains("SECRET"))
            bench.script.change { state in
                state.fault = HTTPResponse(status: 400, body: Array(#"{"error":"eyJ0b2tlbg.x.y"}"#.utf8))
            }
            let cause = await refusal { () async throws(IdentityError) in
                try await bench.verifier.discovery.metadata()
            }
            #expect(cause == .rejected(code: "", status: 400))
        }
    }

    @Test(arguments: [
        (AuthorityType.entra, "/common", "/{tenantid}/v2.0"),
        (.entra, "/\(VerificationBench.tenant)", "/{tenantid}/v2.0"),
        (.b2c, "/contoso/signin", "/\(VerificationBench.tenant)/v2.0/"),
        (.external, "/contoso", "/\(VerificationBench.tenant)/v2.0"), (.adfs, "/adfs", "/adfs"),
    ])
    func `each kind is verified by its own rules`(type: AuthorityType, path: String, issuer: String) async throws {
        try await VerificationBench.run(type: type, path: path, issuer: issuer) { bench in
            let tenant = VerificationBench.tenant
            let named: JSONValue = .string(bench.issuer.replacing("{tenantid}", with: tenant))
            let verified = try await bench.verify([
                "iss": named, "tid": .string(tenant), "oid": .string(tenant), "upn": "ana@example.com",
            ])
            #expect(verified.identity.homeAccountID == (type == .adfs ? "worker-1" : "\(tenant).\(tenant)"))
            if type == .b2c {
                let claims: [String: JSONValue] = ["iss": named, "tfp": "signup"]
                let cause = await refusal { () async throws(IdentityError) in try await bench.verify(claims) }
                #expect(cause == .notTrusted(what: "the token is refused: it is from another policy"))
                _ = try await bench.verify(claims.merging(["tfp": "SignIn"]) { $1 })
            }
            let other = AuthorityTests.other
            let cause = await refusal { () async throws(IdentityError) in
                try await bench.verify(["iss": .string("\(bench.server.url)/\(other)/v2.0"), "tid": .string(other)])
            }
            // `common` is for every tenant: there the account rule decides.
            #expect((cause == nil) == (path == "/common"))
        }
    }
}

/// Holds a server's answer back until a test lets it go.
private final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func document(_ request: LoopbackServer.Request) -> [UInt8] {
        let url = "http://\(request.header("host") ?? "")"
        return JSONValue.object([
            "issuer": .string(url), "authorization_endpoint": .string(url), "token_endpoint": .string(url),
            "jwks_uri": .string(url),
        ]).bytes
    }
}
