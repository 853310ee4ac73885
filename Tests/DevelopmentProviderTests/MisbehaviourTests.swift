import AsyncHTTPClient
import DevelopmentProvider
import NIOCore
import NIOHTTP1
import Testing
import WebText

@Suite(.serialized, .timeLimit(.minutes(2))) struct MisbehaviourTests {
    static func idToken(_ misbehaviour: Misbehaviour, _ check: @escaping @Sendable (Scene, String) async throws -> Void)
        async throws
    {
        try await Scene.run { scene in
            try await scene.provider.misbehave(misbehaviour)
            let tokens = try await scene.signIn()
            try await check(scene, try #require(tokens["id_token"]?.string))
        }
    }

    @Test(arguments: [Misbehaviour.wrongSignature, .unknownKey, .algorithmNone, .symmetricAlgorithm])
    func `The published keys do not confirm what is signed wrongly`(misbehaviour: Misbehaviour) async throws {
        try await Self.idToken(misbehaviour) { scene, token in
            let keys = try await scene.browser.get(try #require(scene.discovery["jwks_uri"]?.string)).json["keys"]
            // JWTKit tries every key when it does not find the one that is named.
            if keys?.array?.contains(where: { $0["kid"] == Scene.header(token)?["kid"] }) == true {
                await #expect(throws: (any Error).self) { try await scene.verified(token) }
            }
            #expect(Scene.header(token)?["kid"] == nil || misbehaviour != .algorithmNone)
            #expect((Scene.header(token)?["alg"] == "RS256") == [.wrongSignature, .unknownKey].contains(misbehaviour))
            #expect(Scene.claims(token)?["aud"] == "baton")
        }
    }

    struct Claim: Sendable, CustomTestStringConvertible {
        var misbehaviour: Misbehaviour
        var isSo: @Sendable (JSONValue, Int) -> Bool
        var testDescription: String { misbehaviour.rawValue }
        init(_ misbehaviour: Misbehaviour, _ isSo: @escaping @Sendable (JSONValue, Int) -> Bool) {
            self.misbehaviour = misbehaviour
            self.isSo = isSo
        }
    }

    static let claims = [
        Claim(.wrongIssuer) { claims, _ in claims["iss"] == "https://issuer.example" },
        Claim(.wrongAudience) { claims, _ in claims["aud"] == "another-client" },
        Claim(.wrongNonce) { claims, _ in claims["nonce"] != nil && claims["nonce"] != "the nonce" },
        Claim(.expiredToken) { claims, now in (claims["exp"]?.integer ?? .max) < now - 3000 },
        Claim(.futureToken) { claims, now in (claims["iat"]?.integer ?? 0) > now + 3000 },
        Claim(.noAuthTime) { claims, _ in claims["auth_time"] == nil },
        Claim(.oldAuthTime) { claims, now in (claims["auth_time"]?.integer ?? .max) < now - 80_000 },
        Claim(.noSessionID) { claims, _ in claims["sid"] == nil },
        Claim(.clockAhead) { claims, now in (claims["iat"]?.integer ?? 0) > now + 3000 },
        Claim(.clockBehind) { claims, now in (claims["exp"]?.integer ?? .max) < now - 2000 },
        Claim(.audienceList) { claims, _ in claims["aud"]?.array?.count == 2 && claims["azp"] == "baton" },
        Claim(.audienceListWithoutParty) { claims, _ in claims["aud"]?.array?.count == 2 && claims["azp"] == nil },
        Claim(.fewerScopes) { claims, _ in claims["name"] == nil && claims["sub"] != nil },
        Claim(.hostileClaims) { claims, _ in claims["sub"]?.string != nil && claims["acr"]?.string != "1" },
    ]

    @Test(arguments: claims) func `An ID token has the claims that were asked for`(claim: Claim) async throws {
        try await Self.idToken(claim.misbehaviour) { scene, token in
            let claims = try await scene.verified(token)
            #expect(claim.isSo(claims, Int(SystemTime.now())))
        }
    }

    @Test func `The authorization answer can be wrong`() async throws {
        try await Scene.run { scene in
            _ = try await scene.signIn()
            func answer(_ misbehaviour: Misbehaviour) async throws -> [String: String] {
                try await scene.provider.misbehave(set: [misbehaviour.rawValue], clear: ["all"])
                return try await scene.authorize().answer
            }
            #expect(try await answer(.wrongState)["state"] != "the state")
            #expect(try await answer(.wrongIssuerInAnswer)["iss"] == "https://issuer.example")
            #expect(try await answer(.noIssuerInAnswer)["iss"] == nil)
            #expect(try await answer(.noRotation)["code"] != nil)
        }
    }

    @Test func `Endpoints can be missing`() async throws {
        let missing: [Misbehaviour] = [
            .noRevocationEndpoint, .noEndSessionEndpoint, .noDeviceEndpoint, .noPushedAuthorization,
        ]
        try await Scene.run({ $0.misconduct = Misconduct(missing) }) { scene in
            for (name, path) in [
                ("revocation", "/revoke"), ("end_session", "/logout"),
                ("device_authorization", "/device_authorization"),
                ("pushed_authorization_request", "/par"),
            ] {
                #expect(scene.discovery[name + "_endpoint"] == nil)
                let answer = try await scene.browser.post(scene.base + path, [("client_id", "baton")])
                #expect(answer.status == 404)
            }
        }
    }

    @Test func `Refreshes can be refused, and not be rotated`() async throws {
        try await Scene.run { scene in
            let tokens = try await scene.signIn()
            func refresh(_ misbehaviour: Misbehaviour) async throws -> JSONValue {
                try await scene.provider.misbehave(set: [misbehaviour.rawValue], clear: ["all"])
                return try await scene.refresh(tokens["refresh_token"]?.string).json
            }
            #expect(try await refresh(.invalidGrantOnRefresh)["error"] == "invalid_grant")
            #expect(try await refresh(.interactionRequiredOnRefresh)["error"] == "interaction_required")
            #expect(try await refresh(.consentRequired)["error"] == "consent_required")
            #expect(try await refresh(.invalidRequestOnRefresh)["error"] == "invalid_request")
            let kept = try await refresh(.noRotation)
            #expect(kept["refresh_token"] == nil && kept["access_token"] != nil)
            let other = try await refresh(.otherSubjectOnRefresh)
            #expect(Scene.claims(other["id_token"]?.string ?? "")?["sub"] == "another-subject")
        }
    }

    @Test func `A refresh can demand claims, with which a page then contents it`() async throws {
        try await Scene.run { scene in
            try await scene.provider.misbehave(.claimsOnRefresh)
            let refused = try await scene.refresh(try await scene.signIn()["refresh_token"]?.string)
            let claims = try #require(refused.json["claims"]?.string)
            #expect(refused.status == 400 && refused.json["error"] == "interaction_required")
            let page = try await scene.authorize([("claims", claims)])
            let tokens = try await scene.redeem(page).json
            #expect(try await scene.refresh(tokens["refresh_token"]?.string).status == 200)
        }
    }

    @Test func `offline_access can be neither offered nor taken`() async throws {
        try await Scene.run({ $0.misconduct = Misconduct([.noOfflineAccess]) }) { scene in
            #expect(scene.discovery["scopes_supported"]?.array?.contains("offline_access") == false)
            #expect(try await scene.authorize().answer["error"] == "invalid_scope")
            let tokens = try await scene.signIn("ana", [("scope", "openid profile")])
            #expect(tokens["refresh_token"] == nil && tokens["access_token"] != nil)
        }
    }

    @Test func `A provider can ask for patience, in seconds or until a date`() async throws {
        try await Scene.run { scene in
            try await scene.provider.misbehave(set: ["throttled@keys"])
            let throttled = try await scene.browser.get(scene.base + "/jwks")
            #expect(throttled.status == 429 && throttled.headers.first(name: "retry-after") == "30")
            try await scene.provider.misbehave(set: ["busy@keys"], clear: ["all"])
            let busy = try await scene.browser.get(scene.base + "/jwks")
            #expect(busy.status == 503 && busy.headers.first(name: "retry-after")?.hasSuffix(" GMT") == true)
        }
    }

    @Test func `Answers can be broken on the wire, at one endpoint only`() async throws {
        try await Scene.run { scene in
            func keys(_ misbehaviour: Misbehaviour) async throws -> Browser.Page {
                try await scene.provider.misbehave(set: [misbehaviour.rawValue + "@keys"], clear: ["all"])
                return try await scene.browser.get(scene.base + "/jwks")
            }
            #expect(try await keys(.serverError).status == 500)
            let page = try await keys(.notJSON)
            #expect(page.status == 200 && page.json == .null && page.text.contains("<html>"))
            let garbage = try await keys(.garbage)
            #expect(garbage.json == .null && garbage.headers.first(name: "content-type") == "application/json")
            #expect(try await keys(.huge).bytes > 64 * 1024 * 1024)
            let loop = try await keys(.redirectLoop)
            #expect(loop.status == 307 && loop.location == "/jwks")
            #expect(try await keys(.hostileFields).json["keys"]?.array == nil)
            await #expect(throws: (any Error).self) { try await keys(.refuse) }
            #expect(try await scene.browser.get(scene.base + "/.well-known/openid-configuration").status == 200)
            try await scene.provider.misbehave(set: ["empty-error-bodies"], clear: ["all"])
            let error = try await scene.browser.post(scene.base + "/token", [])
            #expect(error.status == 400 && error.text.isEmpty)
        }
    }

    @Test func `A hostile field is another one each time, and the rest stays right`() async throws {
        try await Scene.run { scene in
            try await scene.provider.misbehave(.hostileField)
            var spoilt: Set<String> = []
            for _ in 0..<60 {
                let answer = try await scene.browser.get(scene.base + "/.well-known/openid-configuration").json
                guard case .object(let members) = answer, case .object(let right) = scene.discovery else {
                    return #expect(Bool(false), "no object")
                }
                let differing = right.keys.filter { members[$0] != right[$0] }
                #expect(differing.count <= 1)
                spoilt.formUnion(differing)
            }
            guard case .object(let right) = scene.discovery else { return }
            #expect(spoilt == Set(right.keys))
        }
    }

    @Test func `A provider that hangs ends at once`() async throws {
        try await Scene.run({ try? $0.misconduct.set("hang@userinfo") }) { scene in
            await #expect(throws: HTTPClientError.deadlineExceeded) {
                _ = try await Browser.client.execute(
                    HTTPClientRequest(url: scene.base + "/userinfo"), timeout: .milliseconds(200))
            }
        }
    }

    @Test func `Slow answers come after the delay`() async throws {
        try await Scene.run({
            $0.delay = .milliseconds(300)
            try? $0.misconduct.set("slow@keys")
            try? $0.misconduct.set("late-token")
        }) { scene in
            let keys = try await ContinuousClock().measure { _ = try await scene.browser.get(scene.base + "/jwks") }
            #expect(keys >= .milliseconds(300))
            let time = try await ContinuousClock().measure { _ = try await scene.signIn() }
            #expect(time >= .milliseconds(300))
        }
    }

    @Test func `Every misbehaviour has a sentence of its own`() {
        let sentences = Misbehaviour.allCases.map(\.explanation)
        #expect(Set(sentences).count == sentences.count && sentences.allSatisfy { $0.hasSuffix(".") })
    }
}
