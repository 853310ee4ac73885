import DevelopmentProvider
import Testing
import WebText

@Suite(.serialized, .timeLimit(.minutes(2))) struct KindTests {
    static let tenant = "2f1a7c3e-5d0b-4c8e-9a46-0b7e8d1c9f52"
    static let consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

    struct Place: Sendable, CustomTestStringConvertible {
        var kind: ProviderKind
        var path: String
        /// Behind the base.
        var issuer: String
        var tokenPath: String
        var testDescription: String { "\(kind) \(path)" }
    }

    static let places = [
        Place(kind: .openid, path: "", issuer: "", tokenPath: "/token"),
        Place(
            kind: .entra, path: "/\(tenant)/v2.0", issuer: "/\(tenant)/v2.0", tokenPath: "/\(tenant)/oauth2/v2.0/token"
        ),
        Place(
            kind: .entra, path: "/ward.example/v2.0", issuer: "/\(tenant)/v2.0",
            tokenPath: "/ward.example/oauth2/v2.0/token"),
        Place(kind: .entra, path: "/common/v2.0", issuer: "/{tenantid}/v2.0", tokenPath: "/common/oauth2/v2.0/token"),
        Place(
            kind: .entra, path: "/organizations/v2.0", issuer: "/{tenantid}/v2.0",
            tokenPath: "/organizations/oauth2/v2.0/token"),
        Place(
            kind: .entra, path: "/consumers/v2.0", issuer: "/\(consumers)/v2.0",
            tokenPath: "/consumers/oauth2/v2.0/token"),
        Place(
            kind: .b2c, path: "/ward.example/B2C_1_susi/v2.0", issuer: "/\(tenant)/v2.0/",
            tokenPath: "/ward.example/B2C_1_susi/oauth2/v2.0/token"),
        Place(
            kind: .external, path: "/ward.example/v2.0", issuer: "/\(tenant)/v2.0",
            tokenPath: "/ward.example/oauth2/v2.0/token"),
        Place(kind: .adfs, path: "/adfs", issuer: "/adfs", tokenPath: "/adfs/oauth2/token"),
    ]

    @Test(arguments: places) func `Each kind has its addresses and its issuer`(place: Place) async throws {
        try await Scene.run({ $0.kind = place.kind }, discovery: place.path) { scene in
            #expect(scene.discovery["baton_development_provider"] == true)
            #expect(scene.discovery["issuer"] == .string(scene.base + place.issuer))
            #expect(scene.discovery["token_endpoint"] == .string(scene.base + place.tokenPath))
            let isPlain = place.kind == .openid
            #expect((scene.discovery["revocation_endpoint"] != nil) == isPlain)
            #expect((scene.discovery["pushed_authorization_request_endpoint"] != nil) == isPlain)
            #expect((scene.discovery["device_authorization_endpoint"] == nil) == (place.kind == .b2c))
            #expect(scene.discovery["end_session_endpoint"] != nil)
            let keys = try await scene.browser.get(try #require(scene.discovery["jwks_uri"]?.string))
            #expect(keys.json["keys"]?.array?.count == 2)
            let saysIssuer = place.kind == .entra || place.kind == .external
            let issuer: JSONValue? = saysIssuer ? .string("\(scene.base)/{tenantid}/v2.0") : nil
            #expect(keys.json["keys"]?.array?.allSatisfy { $0["issuer"] == issuer } == true)
        }
    }

    @Test(arguments: places.filter { !$0.path.contains("consumers") })
    func `A sign-in works with each kind and has its claims`(place: Place) async throws {
        try await Scene.run({ $0.kind = place.kind }, discovery: place.path) { scene in
            let tokens = try await scene.signIn("ana", [("client_info", "1")])
            let claims = try await scene.verified(tokens["id_token"]?.string)
            let issuer = place.issuer.replacing("{tenantid}", with: Self.tenant)
            #expect(claims["iss"] == .string(scene.base + issuer))
            switch place.kind {
            case .openid: #expect(claims["oid"] == nil && claims["tid"] == nil)
            case .entra, .external:
                #expect(claims["tid"] == .string(Self.tenant) && claims["ver"] == "2.0")
                #expect(claims["oid"]?.string?.count == 36)
                let info = try #require(tokens["client_info"]?.string.flatMap(Scene.bytes(base64URL:)))
                #expect(JSONValue.unbounded(info)?["utid"] == .string(Self.tenant))
            case .b2c: #expect(claims["tfp"] == "b2c_1_susi")
            case .adfs: #expect(claims["upn"] == "ana@ward.example" && claims["unique_name"] != nil)
            }
        }
    }

    @Test func `Personal accounts have the consumers' tenant and are not let into organisations`() async throws {
        let accounts = DevelopmentAccount.samples + [.personalSample]
        for (path, username, isLetIn) in [
            ("consumers", "pat", true), ("consumers", "ana", false), ("organizations", "pat", false),
            ("organizations", "ana", true), ("common", "pat", true), (Self.tenant, "pat", false),
        ] {
            try await Scene.run(
                {
                    $0.kind = .entra
                    $0.accounts = accounts
                }, discovery: "/\(path)/v2.0"
            ) { scene in
                let answer = try await scene.logIn(try await scene.authorize(), username)
                #expect((answer.status == 302) == isLetIn, "\(path) \(username)")
                guard isLetIn else { return #expect(answer.text.contains("AADSTS50020")) }
                let claims = try await scene.verified(scene.redeem(answer).json["id_token"]?.string)
                let tenant = username == "pat" ? Self.consumers : Self.tenant
                #expect(claims["tid"] == .string(tenant))
                #expect(claims["iss"] == .string("\(scene.base)/\(tenant)/v2.0"))
            }
        }
    }

    @Test func `A guest is of their own tenant in client_info and of this one in the ID token`() async throws {
        let (tenant, object) = ("11111111-2222-4333-8444-555555555555", "99999999-2222-4333-8444-555555555555")
        let guest = DevelopmentAccount(
            username: "gil", name: "Gil", password: "gil", homeTenantID: tenant, homeObjectID: object)
        try await Scene.run(
            {
                $0.kind = .entra
                $0.accounts = [guest] + DevelopmentAccount.samples
                $0.misconduct = Misconduct([.accountStatus])
            }, discovery: "/\(Self.tenant)/v2.0"
        ) { scene in
            for (username, acct) in [("gil", 1), ("ana", 0)] {
                let tokens = try await scene.signIn(username, [("client_info", "1"), ("prompt", "login")])
                let claims = try await scene.verified(tokens["id_token"]?.string)
                #expect(claims["tid"] == .string(Self.tenant) && claims["acct"] == .integer(Int64(acct)))
                let info = try #require(tokens["client_info"]?.string.flatMap(Scene.bytes(base64URL:)))
                let isGuest = username == "gil"
                #expect(JSONValue.unbounded(info)?["utid"] == .string(isGuest ? tenant : Self.tenant))
                #expect(JSONValue.unbounded(info)?["uid"] == (isGuest ? .string(object) : claims["oid"]))
            }
            try await scene.provider.misbehave(.noClientInfo, .noLoginHint)
            let tokens = try await scene.signIn("ana", [("client_info", "1"), ("prompt", "login")])
            #expect(tokens["client_info"] == nil)
            #expect(try await scene.verified(tokens["id_token"]?.string)["login_hint"] == nil)
        }
    }

    @Test func `B2C has an access token for an API only`() async throws {
        try await Scene.run({ $0.kind = .b2c }, discovery: "/ward.example/B2C_1_susi/v2.0") { scene in
            let tokens = try await scene.signIn()
            #expect(tokens["access_token"] == nil && tokens["id_token"] != nil && tokens["refresh_token"] != nil)
            let answer = try await scene.refresh(tokens["refresh_token"]?.string, [("scope", "openid baton")])
            #expect(answer.json["access_token"] != nil)
        }
    }

    @Test func `Entra's log-out asks whom, unless logout_hint says it`() async throws {
        try await Scene.run({ $0.kind = .entra }, discovery: "/common/v2.0") { scene in
            let tokens = try await scene.signIn()
            try await scene.provider.misbehave(.accountPickerAtLogOut)
            let hint = try await scene.verified(tokens["id_token"]?.string)["login_hint"]?.string
            #expect(try await LogoutTests.logOut(scene, tokens).status == 200)
            #expect(await scene.provider.state["live_sessions"] == 1)
            // Both addresses, the tenant's and the common one, in either version.
            for path in ["/common/oauth2/logout", "/\(Self.tenant)/oauth2/v2.0/logout"] {
                let page = try await scene.browser.get(scene.base + path, [("logout_hint", "nobody")])
                #expect(page.status == 200 && page.action == "/logout/confirm")
            }
            let fields = [
                ("logout_hint", try #require(hint)), ("post_logout_redirect_uri", LogoutTests.back),
                ("client_id", "baton"),
            ]
            let answer = try await scene.browser.get(scene.endpoint("end_session"), fields)
            #expect(answer.status == 302 && answer.location == LogoutTests.back)
            #expect(await scene.provider.state["live_sessions"] == 0)
        }
    }

    @Test func `Entra's errors have numbers and the request's correlation id`() async throws {
        try await Scene.run({ $0.kind = .entra }, discovery: "/common/v2.0") { scene in
            let id = "00000000-1111-2222-3333-444444444444"
            let answer = try await scene.browser.post(
                scene.endpoint("token"),
                [("grant_type", "authorization_code"), ("client_id", "baton"), ("code", "gone")],
                headers: [("client-request-id", id)])
            #expect(answer.status == 400 && answer.json["error"] == "invalid_grant")
            #expect(answer.json["error_codes"] == [70_008] && answer.json["correlation_id"] == .string(id))
            #expect(answer.json["error_description"]?.string?.hasPrefix("AADSTS70008: ") == true)
            let tokens = try await scene.signIn()
            try await scene.provider.misbehave(.interactionRequiredOnRefresh)
            let refused = try await scene.refresh(tokens["refresh_token"]?.string).json
            #expect(refused["error"] == "interaction_required" && refused["suberror"] == "basic_action")
            let unknown = try await scene.browser.get(
                scene.base + "/11111111-2222-3333-4444-555555555555/v2.0/.well-known/openid-configuration")
            #expect(unknown.status == 400 && unknown.json["error_codes"] == [90_002])
        }
    }
}
