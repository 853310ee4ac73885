import DevelopmentProvider
import Synchronization
import Testing
import WebText

@Suite(.serialized, .timeLimit(.minutes(2))) struct CodeFlowTests {
    @Test func `A person signs in and the app gets tokens that the published keys confirm`() async throws {
        try await Scene.run { scene in
            let page = try await scene.authorize()
            #expect(page.status == 200 && page.text.contains("<label for=\"password\">"))
            let answer = try await scene.logIn(page)
            #expect(answer.status == 302 && answer.answer["state"] == "the state")
            #expect(answer.answer["iss"] == scene.base)
            let tokens = try await scene.redeem(answer).json
            let claims = try await scene.verified(tokens["id_token"]?.string)
            #expect(claims["iss"] == .string(scene.base) && claims["aud"] == "baton")
            #expect(claims["nonce"] == "the nonce" && claims["preferred_username"] == "ana")
            #expect(claims["name"] == "Ana Horvat" && claims["locale"] == "hr")
            #expect(claims["sid"]?.string != nil && claims["auth_time"]?.integer != nil)
            let access = try #require(tokens["access_token"]?.string)
            let person = try await scene.browser.get(scene.endpoint("userinfo"), bearer: access).json
            #expect(person["sub"] == claims["sub"] && person["email"] == "ana@ward.example")
            let me = try await scene.browser.get(scene.base + "/me", bearer: access).json
            #expect(me["displayName"] == "Ana Horvat")
        }
    }

    @Test func `The second sign-in of a browser needs no password unless the app asks for one`() async throws {
        try await Scene.run { scene in
            let first = try await scene.verified(scene.signIn()["id_token"]?.string)
            let silent = try await scene.authorize([("prompt", "none")])
            let second = try await scene.verified(scene.redeem(silent).json["id_token"]?.string)
            #expect(second["sid"] == first["sid"] && second["sub"] == first["sub"])
            #expect(try await scene.authorize().status == 302)
            let own = try #require(try await scene.redeem(scene.authorize()).json["id_token"]?.string)
            #expect(try await scene.authorize([("prompt", "none"), ("id_token_hint", own)]).answer["code"] != nil)
            let others = try #require(try await scene.signIn("ben", [("prompt", "login")])["id_token"]?.string)
            _ = try await scene.signIn("ana", [("prompt", "login")])
            let refused = try await scene.authorize([("prompt", "none"), ("id_token_hint", others)])
            #expect(refused.answer["error"] == "login_required")
            for fields in [("prompt", "login"), ("max_age", "0"), ("login_hint", "ben")] {
                #expect(try await scene.authorize([fields]).text.contains("name=\"password\""))
            }
        }
    }

    @Test func `After a recent login the provider can ignore prompt=login, and does not ignore max_age=1`() async throws
    {
        let times = Mutex(SystemTime.now())
        try await Scene.run(clock: { times.withLock { $0 } }) { scene in
            _ = try await scene.signIn()
            try await scene.provider.misbehave(.recentLoginSuffices)
            times.withLock { $0 += 290 }
            for fields in [("prompt", "login"), ("max_age", "0")] {
                #expect(try await scene.authorize([fields]).status == 302)
            }
            #expect(try await scene.authorize([("max_age", "1")]).text.contains("name=\"password\""))
            times.withLock { $0 += 20 }
            #expect(try await scene.authorize([("prompt", "login")]).text.contains("name=\"password\""))
        }
    }

    @Test func `A wrong password shows the page again and Cancel answers access_denied`() async throws {
        try await Scene.run { scene in
            let page = try await scene.authorize()
            let wrong = try await scene.browser.submit(
                page, to: scene.base, [("username", "ana"), ("password", "wrong"), ("action", "sign-in")])
            #expect(wrong.status == 401 && wrong.text.contains("role=\"alert\""))
            let canceled = try await scene.browser.submit(wrong, to: scene.base, [("action", "cancel")])
            #expect(canceled.answer["error"] == "access_denied" && canceled.answer["state"] == "the state")
            #expect(try await scene.logIn(page).status == 400)
        }
    }

    @Test(arguments: [
        ("code_challenge", "", "invalid_request"), ("code_challenge_method", "plain", "invalid_request"),
        // Padding, and bits behind the last byte (RFC 7636, appendix A; RFC 4648, section 3.5).
        ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=", "invalid_request"),
        ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cN", "invalid_request"),
        ("response_type", "token", "unsupported_response_type"), ("scope", "profile", "invalid_scope"),
        ("prompt", "none login", "invalid_request"), ("prompt", "none", "login_required"),
        ("max_age", "soon", "invalid_request"), ("claims", "[]", "invalid_request"),
        ("response_mode", "pigeon", "invalid_request"),
    ])
    func `A wrong request is answered at the redirect URI`(name: String, value: String, error: String) async throws {
        try await Scene.run { scene in
            let answer = try await scene.authorize([(name, value)])
            #expect(answer.status == 302 && answer.answer["error"] == error)
            #expect(answer.location?.hasPrefix(Scene.redirectURI) == true)
        }
    }

    @Test(arguments: [
        "https://attacker.example/", "http://127.0.0.1.attacker.example/callback", "http://127.0.0.1:5555/other",
        "http://127.0.0.1:99999/callback", "http://127.0.0.1:5555/callback#x", "javascript:alert(1)", "",
    ])
    func `Nothing is sent to an address that is not registered`(uri: String) async throws {
        try await Scene.run({ $0.redirectURIs = ["http://127.0.0.1/callback"] }) { scene in
            let answer = try await scene.authorize([("redirect_uri", uri)])
            #expect(answer.status == 400 && answer.location == nil)
            #expect(try await scene.authorize().status == 200)
        }
    }

    @Test func `A code works once, and its second use ends the tokens of the first`() async throws {
        try await Scene.run { scene in
            let answer = try await scene.logIn(try await scene.authorize())
            let tokens = try await scene.redeem(answer).json
            let again = try await scene.redeem(answer)
            #expect(again.status == 400 && again.json["error"] == "invalid_grant")
            let info = try await scene.browser.get(
                scene.endpoint("userinfo"), bearer: try #require(tokens["access_token"]?.string))
            #expect(info.status == 401)
            #expect(try await scene.refresh(tokens["refresh_token"]?.string).status == 400)
        }
    }

    @Test func `A code is bound to verifier and redirect URI`() async throws {
        try await Scene.run { scene in
            for wrong in ["code_verifier", "redirect_uri"] {
                let answer = try await scene.logIn(try await scene.authorize([("prompt", "login")]))
                let right = [
                    ("grant_type", "authorization_code"), ("client_id", "baton"),
                    ("code", try #require(answer.answer["code"])), ("redirect_uri", Scene.redirectURI),
                    ("code_verifier", Scene.verifier),
                ]
                let fields = right.map { $0.0 == wrong ? ($0.0, $0.1 + "x") : $0 }
                let refused = try await scene.browser.post(scene.endpoint("token"), fields)
                #expect(refused.json["error"] == "invalid_grant")
            }
        }
    }

    @Test func `A pushed request is used once and the client may have to push`() async throws {
        try await Scene.run({
            $0.clients = [DevelopmentClient(id: "baton", requiresPushedAuthorization: true)]
        }) { scene in
            #expect(try await scene.authorize().answer["error"] == "invalid_request")
            let pushed = try await scene.browser.post(
                scene.endpoint("pushed_authorization_request"), scene.request)
            #expect(pushed.status == 201)
            let uri = try #require(pushed.json["request_uri"]?.string)
            let fields = [("client_id", "baton"), ("request_uri", uri)]
            let page = try await scene.browser.get(scene.endpoint("authorization"), fields)
            #expect(try await scene.redeem(scene.logIn(page)).status == 200)
            #expect(try await scene.browser.get(scene.endpoint("authorization"), fields).status == 400)
            let state = await scene.provider.state
            #expect(state["last_authorization"]?["pushed"] == true)
        }
    }

    @Test func `Consent is asked for once, and denial is told to the app`() async throws {
        try await Scene.run({ $0.clients = [DevelopmentClient(id: "baton", asksConsent: true)] }) { scene in
            let asked = try await scene.logIn(try await scene.authorize())
            #expect(asked.action == "/consent" && asked.text.contains("offline_access"))
            let denied = try await scene.browser.submit(asked, to: scene.base, [("action", "deny")])
            #expect(denied.answer["error"] == "access_denied")
            #expect(try await scene.authorize([("prompt", "none")]).answer["error"] == "consent_required")
            let accepted = try await scene.browser.submit(
                try await scene.authorize(), to: scene.base, [("action", "accept")])
            #expect(accepted.answer["code"] != nil)
            #expect(try await scene.authorize().answer["code"] != nil)
            #expect(try await scene.authorize([("prompt", "consent")]).action == "/consent")
        }
    }

    @Test func `A person chooses an account or another one`() async throws {
        try await Scene.run { scene in
            _ = try await scene.signIn()
            let page = try await scene.authorize([("prompt", "select_account")])
            #expect(page.action == "/select-account" && page.text.contains("Ana Horvat"))
            let other = try await scene.browser.submit(page, to: scene.base, [("action", "other")])
            let tokens = try await scene.redeem(try await scene.logIn(other, "ben")).json
            #expect(try await scene.verified(tokens["id_token"]?.string)["preferred_username"] == "ben")
            let again = try await scene.authorize([("prompt", "select_account")])
            #expect(
                try await scene.browser.submit(again, to: scene.base, [("action", "continue")]).answer["code"] != nil)
        }
    }

    @Test func `A person makes an account`() async throws {
        try await Scene.run { scene in
            let page = try await scene.authorize([("prompt", "create")])
            let answer = try await scene.browser.submit(
                page, to: scene.base,
                [("username", "cora"), ("name", "Cora"), ("password", "secret"), ("action", "create")])
            let tokens = try await scene.redeem(answer).json
            #expect(try await scene.verified(tokens["id_token"]?.string)["name"] == "Cora")
        }
    }

    @Test func `The answer can come as a fragment or as a form`() async throws {
        try await Scene.run { scene in
            _ = try await scene.signIn()
            let fragment = try await scene.authorize([("response_mode", "fragment")])
            #expect(fragment.location?.hasPrefix(Scene.redirectURI + "#code=") == true)
            let form = try await scene.authorize([("response_mode", "form_post")])
            #expect(form.action == Scene.redirectURI && form.hidden["code"] != nil)
        }
    }

    @Test func `What a person types cannot become part of the page`() async throws {
        try await Scene.run { scene in
            let page = try await scene.authorize([("login_hint", "\"><script>alert(1)</script>")])
            #expect(!page.text.contains("<script") && page.text.contains("&lt;script"))
        }
    }
}
