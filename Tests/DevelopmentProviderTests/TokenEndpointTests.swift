import Crypto
import DevelopmentProvider
import FoundationEssentials
import JWTKit
import Testing
import WebText

@Suite(.serialized, .timeLimit(.minutes(2))) struct TokenEndpointTests {
    @Test func `A refresh token is replaced, and using the old one ends them all`() async throws {
        try await Scene.run { scene in
            let first = try await scene.signIn()
            let second = try await scene.refresh(first["refresh_token"]?.string).json
            #expect(second["refresh_token"] != first["refresh_token"])
            let claims = try await scene.verified(second["id_token"]?.string)
            #expect(claims["nonce"] == nil && claims["sub"] != nil)
            #expect(await scene.provider.state["live_refresh_tokens"] == 1)
            let reused = try await scene.refresh(first["refresh_token"]?.string)
            #expect(reused.status == 400 && reused.json["error"] == "invalid_grant")
            #expect(try await scene.refresh(second["refresh_token"]?.string).status == 400)
            #expect(await scene.provider.state["live_refresh_tokens"] == 0)
        }
    }

    @Test func `Without offline_access there is no refresh token, and a refresh cannot ask for more`() async throws {
        try await Scene.run { scene in
            #expect(try await scene.signIn("ana", [("scope", "openid")])["refresh_token"] == nil)
            let tokens = try await scene.signIn("ben", [("prompt", "login")])
            let more = try await scene.refresh(tokens["refresh_token"]?.string, [("scope", "openid everything")])
            #expect(more.json["error"] == "invalid_scope")
            let less = try await scene.refresh(tokens["refresh_token"]?.string, [("scope", "openid")])
            #expect(less.json["scope"] == "openid")
        }
    }

    @Test func `Revoking the refresh token leaves the access token working`() async throws {
        try await Scene.run { scene in
            let tokens = try await scene.signIn()
            func revoke(_ name: String, client: String = "baton") async throws -> Int {
                try await scene.browser.post(
                    scene.endpoint("revocation"),
                    [("client_id", client), ("token", try #require(tokens[name]?.string))]
                ).status
            }
            func knows() async throws -> Bool {
                try await scene.browser.get(
                    scene.endpoint("userinfo"), bearer: try #require(tokens["access_token"]?.string)
                ).status == 200
            }
            #expect(try await revoke("refresh_token", client: "another") == 400)
            #expect(try await revoke("refresh_token") == 200)
            #expect(try await scene.refresh(tokens["refresh_token"]?.string).status == 400)
            #expect(try await knows())
            #expect(try await revoke("access_token") == 200)
            #expect(try await !knows())
            #expect(try await revoke("access_token") == 200)
            try await scene.provider.misbehave(.noRevocationForPublicClients)
            #expect(try await revoke("access_token") == 401)
        }
    }

    @Test func `A token that is revoked can take with it all that the client has of that person`() async throws {
        try await Scene.run({ $0.misconduct = Misconduct([.revocationEndsAll]) }) { scene in
            let first = try await scene.signIn("ana")
            let second = try await scene.signIn("ana", [("scope", "openid"), ("prompt", "login")])
            _ = try await scene.signIn("ben", [("prompt", "login")])
            #expect(await scene.provider.state["live_refresh_tokens"] == 2)
            let token = try #require(second["access_token"]?.string)
            #expect(
                try await scene.browser.post(
                    scene.endpoint("revocation"), [("client_id", "baton"), ("token", token)]
                ).status == 200)
            #expect(try await scene.refresh(first["refresh_token"]?.string).status == 400)
            #expect(await scene.provider.state["live_refresh_tokens"] == 1)
        }
    }

    @Test func `A client with a secret needs it, in the header or in the form`() async throws {
        let client = DevelopmentClient(id: "baton", secret: "a:b c")
        try await Scene.run({ $0.clients = [client] }) { scene in
            let answer = try await scene.logIn(try await scene.authorize())
            #expect(try await scene.redeem(answer).status == 401)
            #expect(try await scene.redeem(answer, [("client_secret", "wrong")]).status == 401)
            let tokens = try await scene.redeem(answer, [("client_secret", "a:b c")])
            #expect(tokens.status == 200)
            func refresh(_ pair: String) async throws -> Int {
                try await scene.browser.post(
                    scene.endpoint("token"),
                    [("grant_type", "refresh_token"), ("refresh_token", tokens.json["refresh_token"]?.string ?? "")],
                    headers: [("authorization", "Basic \(pair)")]
                ).status
            }
            // Without its padding it is no Base64, and says nothing of a client.
            #expect(try await refresh("YmF0b246YSUzQWIrYw") == 400)
            // "baton:a%3Ab+c"
            #expect(try await refresh("YmF0b246YSUzQWIrYw==") == 200)
        }
    }

    struct Assertion: JWTPayload {
        var iss = IssuerClaim(value: "baton")
        var sub = SubjectClaim(value: "baton")
        var aud: AudienceClaim
        var exp: ExpirationClaim
        var jti: IDClaim
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    @Test func `A client signs its own assertion, and each works once`() async throws {
        let key = ES256PrivateKey()
        let client = DevelopmentClient(id: "baton", publicKey: key.publicKey.pemRepresentation)
        try await Scene.run({ $0.clients = [client] }) { scene in
            let keys = await JWTKeyCollection().add(ecdsa: key)
            func fields(audience: String, id: String) async throws -> [(String, String)] {
                let assertion = Assertion(
                    aud: AudienceClaim(value: audience), exp: ExpirationClaim(value: Date(timeIntervalSinceNow: 60)),
                    jti: IDClaim(value: id)
                )
                return [
                    ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                    ("client_assertion", try await keys.sign(assertion)),
                ]
            }
            let answer = try await scene.logIn(try await scene.authorize())
            #expect(try await scene.redeem(answer).status == 401)
            let elsewhere = try await fields(audience: "https://elsewhere.example", id: "1")
            #expect(try await scene.redeem(answer, elsewhere).status == 401)
            let right = try await fields(audience: scene.endpoint("token"), id: "2")
            let tokens = try await scene.redeem(answer, right)
            #expect(tokens.status == 200)
            #expect(try await scene.refresh(tokens.json["refresh_token"]?.string, right).status == 401)
        }
    }

    @Test func `Keys change on demand, and a client may have elliptic ones`() async throws {
        let client = DevelopmentClient(id: "baton", signingAlgorithm: .es256)
        try await Scene.run({ $0.clients = [client] }) { scene in
            let first = try #require(try await scene.signIn()["id_token"]?.string)
            #expect(Scene.header(first)?["alg"] == "ES256")
            try await scene.provider.rotateKeys()
            let second = try #require(try await scene.redeem(scene.authorize()).json["id_token"]?.string)
            #expect(Scene.header(first)?["kid"] != Scene.header(second)?["kid"])
            // The old key stays until the next rotation.
            _ = try await scene.verified(first)
            _ = try await scene.verified(second)
            try await scene.provider.rotateKeys()
            await #expect(throws: (any Error).self) { try await scene.verified(first) }
        }
    }
}
