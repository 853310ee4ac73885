import Secrets
import Testing
import Vocabulary
import WebText

@testable import Identity

@Suite("Userinfo", .timeLimit(.minutes(1)))
struct UserInfoTests {
    private let token = Secret(text: "access-token")

    private func answer(
        _ bench: VerificationBench, _ body: JSONValue, type: String = "application/json; charset=utf-8"
    ) {
        let response = HTTPResponse(status: 200, headers: [(name: "Content-Type", value: type)], body: body.bytes)
        bench.script.change { $0.userinfo = response }
    }

    @Test func `the answer says who the token is for`() async throws {
        try await VerificationBench.run { bench in
            answer(bench, ["sub": "worker-1", "name": "Ana", "preferred_username": "ana"])
            let identity = try await bench.verifier.userInfo.userinfo(
                accessToken: token, subject: "worker-1", correlationID: "c-1")
            #expect(identity.issuer == bench.issuer && identity.subject == "worker-1" && identity.name == "Ana")
            let request = bench.server.requests.last
            #expect(request?.header("authorization") == "Bearer access-token")
            #expect(request?.header("client-request-id") == "c-1")
        }
    }

    @Test func `an answer about somebody else is not trusted`() async throws {
        try await VerificationBench.run { bench in
            answer(bench, ["sub": "worker-2"])
            let cause = await refusal { () async throws(IdentityError) in
                try await bench.verifier.userInfo.userinfo(
                    accessToken: token, subject: "worker-1", correlationID: "c-1")
            }
            #expect(cause == .notTrusted(what: "userinfo has another subject than the ID token"))
        }
    }

    @Test func `what is not JSON about somebody is refused`() async throws {
        try await VerificationBench.run { bench in
            let wrong: [(JSONValue, String)] = [
                (["sub": "worker-1"], "application/jwt"), (["sub": "worker-1"], "text/html"), ([], "application/json"),
                ([:], "application/json"), (["sub": 4], "application/json"), (["sub": ""], "application/json"),
                ("eyJ", "application/json"),
            ]
            for (body, type) in wrong {
                answer(bench, body, type: type)
                let cause = await refusal { () async throws(IdentityError) in
                    try await bench.verifier.userinfo(token, correlationID: "c-1")
                }
                #expect(cause?.isInvalidAnswer == true)
            }
            bench.script.change { $0.userinfo = HTTPResponse(status: 401) }
            let cause = await refusal { () async throws(IdentityError) in
                try await bench.verifier.userinfo(token, correlationID: "c-1")
            }
            #expect(cause == .rejected(code: "", status: 401))
        }
    }

    @Test func `without an endpoint there is no answer, and no header is made of odd tokens`() async throws {
        try await VerificationBench.run { bench in
            for text in ["", "a b", "a\r\nX: y", "ž"] {
                let cause = await refusal { () async throws(IdentityError) in
                    try await bench.verifier.userinfo(Secret(text: text), correlationID: "c-1")
                }
                #expect(cause == .invalidAnswer(what: "the access token is invalid"))
            }
            bench.script.change { $0.discovery["userinfo_endpoint"] = nil }
            _ = try await bench.verifier.metadata(forceRefresh: true)
            let cause = await refusal { () async throws(IdentityError) in
                try await bench.verifier.userinfo(token, correlationID: "c-1")
            }
            #expect(cause == .unsupported(what: "the provider has no userinfo endpoint"))
        }
    }

    @Test func `where the tenant is open, the answer must say it`() async throws {
        try await VerificationBench.run(type: .entra, path: "/common", issuer: "/{tenantid}/v2.0") { bench in
            answer(bench, ["sub": "worker-1"])
            let cause = await refusal { () async throws(IdentityError) in
                try await bench.verifier.userinfo(token, correlationID: "c-1")
            }
            #expect(cause == .unsupported(what: "userinfo does not name the tenant of the account"))
            let tenant = VerificationBench.tenant
            answer(bench, ["sub": "worker-1", "tid": .string(tenant)])
            let verified = try await bench.verifier.userinfo(token, correlationID: "c-1")
            #expect(verified.identity.issuer == "\(bench.server.url)/\(tenant)/v2.0")
        }
    }
}
