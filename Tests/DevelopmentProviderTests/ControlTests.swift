import DevelopmentProvider
import NIOHTTP1
import Testing
import WebText

@Suite(.serialized, .timeLimit(.minutes(2))) struct ControlTests {
    @Test func `Misbehaviours change while it runs, and a wrong name changes nothing`() async throws {
        try await Scene.run { scene in
            let address = scene.base + "/control/misbehave"
            #expect(try await scene.browser.postJSON(address, ["set": ["no-sid", "hang@token"]]).status == 200)
            #expect(await scene.provider.state["misbehaviours"] == ["hang@token", "no-sid"])
            let wrong = try await scene.browser.postJSON(address, ["set": ["garbage", "nonsense"], "clear": ["all"]])
            #expect(wrong.status == 400)
            #expect(try await scene.browser.postJSON(address, ["set": "hang@nowhere"]).status == 400)
            #expect(await scene.provider.state["misbehaviours"] == ["hang@token", "no-sid"])
            #expect(try await scene.browser.postJSON(address, ["clear": ["no-sid"]]).status == 200)
            #expect(await scene.provider.state["misbehaviours"] == ["hang@token"])
        }
    }

    @Test func `It can be steered whatever else misbehaves`() async throws {
        try await Scene.run { scene in
            for name in ["refuse", "hang", "server-error", "garbage", "hostile-fields", "slow"] {
                try await scene.provider.misbehave(set: [name], clear: ["all"])
                let state = try await scene.browser.get(scene.base + "/control/state").json
                #expect(state["misbehaviours"] == [.string(name)])
            }
        }
    }

    @Test func `State counts requests and what lives`() async throws {
        try await Scene.run { scene in
            _ = try await scene.signIn()
            _ = try await DeviceFlowTests.start(scene)
            let state = try await scene.browser.get(scene.base + "/control/state").json
            #expect(state["requests"]?["token"] == 1 && state["requests"]?["login"] == 1)
            #expect(state["live_sessions"] == 1 && state["live_refresh_tokens"] == 1)
            #expect(state["live_access_tokens"] == 1 && state["pending_device_codes"] == 1)
            #expect(state["last_authorization"]?["scope"] == ["openid", "profile", "email", "offline_access"])
            _ = try await scene.browser.postJSON(scene.base + "/control/expire", ["what": "all"])
            let after = await scene.provider.state
            #expect(after["live_sessions"] == 0 && after["live_access_tokens"] == 0)
        }
    }

    @Test func `A person answers one authorization request without the pages, with a session of the browser`()
        async throws
    {
        try await Scene.run { scene in
            #expect(
                try await scene.browser.postJSON(scene.base + "/control/sign-in", ["username": "nobody"]).status == 400)
            _ = try await scene.browser.postJSON(scene.base + "/control/sign-in", ["username": "ana"])
            let answer = try await scene.authorize([("prompt", "login")])
            #expect(answer.answer["code"] != nil && answer.answer["state"] == "the state")
            let cookie = answer.headers.first(name: "set-cookie")
            #expect(cookie?.contains("; HttpOnly") == true && cookie?.contains("Max-Age=0") == false)
            let tokens = try await scene.redeem(answer).json
            #expect(try await scene.verified(tokens["id_token"]?.string)["name"] == "Ana Horvat")

            // The session is one as any other: it answers by itself, asks when it must, and ends at log-out.
            #expect(try await scene.authorize().answer["code"] != nil)
            #expect(try await scene.authorize([("prompt", "login")]).hidden["interaction"] != nil)
            let end = try await scene.browser.get(
                scene.endpoint("end_session"), [("id_token_hint", tokens["id_token"]?.string ?? "")])
            #expect(end.headers.first(name: "set-cookie")?.contains("Max-Age=0") == true)
            #expect(await scene.provider.state["live_sessions"] == 0)
            #expect(try await scene.authorize().hidden["interaction"] != nil)
        }
    }

    @Test func `Another person can take over from the one who is offered as a choice`() async throws {
        try await Scene.run { scene in
            _ = try await scene.signIn("ana")
            _ = try await scene.browser.postJSON(scene.base + "/control/sign-in", ["username": "ben"])
            let answer = try await scene.authorize([("prompt", "select_account")])
            let tokens = try await scene.redeem(answer).json
            #expect(try await scene.verified(tokens["id_token"]?.string)["name"] == "Ben Okafor")
            _ = try await scene.browser.postJSON(scene.base + "/control/sign-in", ["username": "ana"])
            _ = try await scene.browser.postJSON(scene.base + "/control/sign-in", ["username": .null])
            #expect(try await scene.authorize([("prompt", "login")]).answer["code"] == nil)
        }
    }

    @Test func `A page in a browser cannot steer it, nor reach it by another name`() async throws {
        try await Scene.run { scene in
            let answer = try await scene.browser.post(
                scene.base + "/control/rotate-keys", [], headers: [("origin", "https://attacker.example")])
            #expect(answer.status == 403)
            let other = try await scene.browser.post(
                scene.base + "/control/rotate-keys", [], headers: [("host", "attacker.example")])
            #expect(other.status == 421)
        }
    }
}
