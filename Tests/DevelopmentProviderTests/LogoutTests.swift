import DevelopmentProvider
import Testing
import WebText

@Suite(.serialized, .timeLimit(.minutes(2))) struct LogoutTests {
    static let back = "http://127.0.0.1:5555/signed-out"

    static func logOut(_ scene: Scene, _ tokens: JSONValue?, in browser: Browser? = nil) async throws -> Browser.Page {
        var fields = [("post_logout_redirect_uri", back), ("state", "goodbye"), ("client_id", "baton")]
        if let hint = tokens?["id_token"]?.string { fields.append(("id_token_hint", hint)) }
        return try await (browser ?? scene.browser).get(scene.endpoint("end_session"), fields)
    }

    @Test func `An ID token ends its session at once, also without the browser's cookie`() async throws {
        try await Scene.run { scene in
            let tokens = try await scene.signIn()
            let answer = try await Self.logOut(scene, tokens, in: Browser())
            #expect(answer.status == 302 && answer.location == Self.back + "?state=goodbye")
            #expect(await scene.provider.state["live_sessions"] == 0)
            #expect(try await scene.authorize([("prompt", "none")]).answer["error"] == "login_required")
            #expect(try await Self.logOut(scene, tokens).status == 302)
        }
    }

    @Test func `The provider knows its ID token again, however deep its claims are`() async throws {
        try await Scene.run { scene in
            try await scene.provider.misbehave(.hostileClaims)
            let tokens = try await scene.signIn()
            var innermost = Scene.claims(tokens["id_token"]?.string ?? "")?["preferred_username"]
            for _ in 0..<200 { innermost = innermost?.array?.first }
            #expect(innermost == 1)
            // An ID token that it does not know would bring the page that asks.
            #expect(try await Self.logOut(scene, tokens).status == 302)
        }
    }

    @Test func `Without an ID token a page asks, and Stay signed in stays`() async throws {
        try await Scene.run { scene in
            _ = try await scene.signIn()
            let page = try await Self.logOut(scene, nil)
            #expect(page.status == 200 && page.action == "/logout/confirm")
            _ = try await scene.browser.submit(page, to: scene.base, [("action", "cancel")])
            #expect(await scene.provider.state["live_sessions"] == 1)
            let again = try await Self.logOut(scene, nil)
            let answer = try await scene.browser.submit(again, to: scene.base, [("action", "log-out")])
            #expect(answer.location == Self.back + "?state=goodbye")
            #expect(await scene.provider.state["live_sessions"] == 0)
        }
    }

    @Test func `A log-out leads nowhere that is not registered`() async throws {
        try await Scene.run({
            $0.clients = [
                DevelopmentClient(
                    id: "baton", redirectURIs: [Scene.redirectURI],
                    postLogoutRedirectURIs: ["http://127.0.0.1/elsewhere"])
            ]
        }) { scene in
            let tokens = try await scene.signIn()
            #expect(try await Self.logOut(scene, tokens).status == 400)
            #expect(await scene.provider.state["live_sessions"] == 1)
        }
    }

    @Test func `The log-out page can be skipped, or wait`() async throws {
        try await Scene.run { scene in
            let tokens = try await scene.signIn()
            try await scene.provider.misbehave(.logOutPageWaits)
            let page = try await Self.logOut(scene, tokens)
            #expect(page.status == 200 && page.text.contains("content=\"30;url=/logout/confirm?interaction="))
            #expect(await scene.provider.state["live_sessions"] == 1)
            try await scene.provider.misbehave(set: ["log-out-without-page"], clear: ["all"])
            #expect(try await Self.logOut(scene, nil).status == 302)
            #expect(await scene.provider.state["live_sessions"] == 0)
        }
    }

    @Test func `A log-out ends the tokens of its session`() async throws {
        try await Scene.run { scene in
            let tokens = try await scene.signIn()
            _ = try await Self.logOut(scene, tokens, in: Browser())
            #expect(try await scene.refresh(tokens["refresh_token"]?.string).json["error"] == "invalid_grant")
            #expect(await scene.provider.state["live_access_tokens"] == 0)
        }
    }

    @Test func `A log-out without the cookie can redirect and end nothing, and one can ask whoever comes`() async throws
    {
        try await Scene.run { scene in
            let tokens = try await scene.signIn()
            try await scene.provider.misbehave(.logOutNeedsCookie)
            let answer = try await Self.logOut(scene, tokens, in: Browser())
            #expect(answer.status == 302 && answer.location == Self.back + "?state=goodbye")
            #expect(await scene.provider.state["live_sessions"] == 1)
            try await scene.provider.misbehave(set: ["log-out-asks"], clear: ["all"])
            for browser in [Browser(), scene.browser] {
                let page = try await Self.logOut(scene, tokens, in: browser)
                #expect(page.status == 200 && !page.text.contains("http-equiv=\"refresh\""))
            }
            #expect(await scene.provider.state["live_sessions"] == 1)
            try await scene.provider.misbehave(set: ["log-out-needs-cookie"], clear: ["all"])
            #expect(try await Self.logOut(scene, tokens).status == 302)
            #expect(await scene.provider.state["live_sessions"] == 0)
        }
    }

    @Test func `Each client of a session gets one log-out token`() async throws {
        try await LogoutReceiver.run { receiver in
            let address = receiver.address
            try await Scene.run({ $0.backchannelLogoutURI = address }) { scene in
                var scene = scene
                let session = try await scene.verified(scene.signIn()["id_token"]?.string)
                scene.clientID = "till"
                _ = try await scene.redeem(scene.authorize())
                #expect(await scene.provider.endSessions(username: "ana") == 1)
                let tokens = await receiver.tokens(2)
                #expect(tokens.allSatisfy { Scene.header($0)?["typ"] == "logout+jwt" })
                var audiences: [String] = []
                for token in tokens {
                    let claims = try await scene.verified(token)
                    #expect(claims["sid"] == session["sid"] && claims["sub"] == session["sub"])
                    #expect(claims["iss"] == .string(scene.base) && claims["exp"] != nil && claims["jti"] != nil)
                    #expect(claims["events"]?["http://schemas.openid.net/event/backchannel-logout"] == [:])
                    #expect(claims["nonce"] == nil)
                    audiences.append(claims["aud"]?.string ?? "")
                }
                #expect(audiences.sorted() == ["baton", "till"])
            }
        }
    }

    @Test func `A client that is gone does not hold up the others`() async throws {
        try await LogoutReceiver.run { receiver in
            let clients = [
                DevelopmentClient(id: "baton", backchannelLogoutURI: "http://127.0.0.1:1/gone"),
                DevelopmentClient(id: "till", backchannelLogoutURI: receiver.address),
            ]
            try await Scene.run({ $0.clients = clients }) { scene in
                var scene = scene
                _ = try await scene.signIn()
                scene.clientID = "till"
                _ = try await scene.redeem(scene.authorize())
                let time = await ContinuousClock().measure {
                    await scene.provider.endSessions()
                    _ = await receiver.tokens(1)
                }
                #expect(time < .seconds(30))
                #expect(await scene.provider.state["logout_tokens"]?["refused"] == 1)
            }
        }
    }

    @Test func `Log-out tokens can be wrong in each way`() async throws {
        try await LogoutReceiver.run { receiver in
            let address = receiver.address
            try await Scene.run({ $0.backchannelLogoutURI = address }) { scene in
                func token(_ misbehaviour: Misbehaviour, count: Int = 1) async throws -> [String] {
                    try await scene.provider.misbehave(set: [misbehaviour.rawValue], clear: ["all"])
                    _ = try await scene.signIn()
                    await scene.provider.endSessions()
                    return await receiver.tokens(count)
                }
                let replayed = try await token(.replayedLogoutToken, count: 2)
                #expect(replayed.first == replayed.last)
                let odd = try #require(try await token(.logoutTokenWithoutExpiry).first)
                #expect(Scene.claims(odd)?["exp"] == nil && Scene.header(odd)?["typ"] == "JWT")
                let nonce = try #require(try await token(.logoutTokenWithNonce).first)
                #expect(Scene.claims(nonce)?["nonce"] != nil)
                let broken = try await token(.logoutTokenWrongSignature).first
                await #expect(throws: (any Error).self) { try await scene.verified(broken) }
                let without = try #require(try await token(.noSessionID).first)
                #expect(Scene.claims(without)?["sid"] == nil)
            }
        }
    }

    @Test func `The log-out page frames the clients' addresses with iss and sid`() async throws {
        try await Scene.run({ $0.frontchannelLogoutURI = "http://127.0.0.1:5555/frontchannel" }) { scene in
            let tokens = try await scene.signIn()
            let token = try #require(tokens["id_token"]?.string)
            let claims = try #require(Scene.claims(token))
            let page = try await scene.browser.submit(
                try await Self.logOut(scene, nil), to: scene.base, [("action", "log-out")])
            let frame = try #require(page.text.components(after: "src=\"").first?.prefix { $0 != "\"" })
            let fields = Browser.fields(of: String(frame.replacing("&amp;", with: "&")))
            #expect(fields["iss"] == scene.base && fields["sid"] == claims["sid"]?.string)
            #expect(page.text.contains("href=\"\(Self.back)?state=goodbye\""))
        }
    }
}
