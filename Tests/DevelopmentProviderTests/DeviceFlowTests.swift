import DevelopmentProvider
import Synchronization
import Testing
import WebText

/// A clock that goes only when it is told.
final class HandClock: Sendable {
    private let time = Mutex(1_800_000_000.0)
    var now: Double { time.withLock { $0 } }
    func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
}

@Suite(.serialized, .timeLimit(.minutes(2))) struct DeviceFlowTests {
    static let grant = "urn:ietf:params:oauth:grant-type:device_code"

    static func start(_ scene: Scene) async throws -> JSONValue {
        let answer = try await scene.browser.post(
            scene.endpoint("device_authorization"), [("client_id", "baton"), ("scope", "openid profile")])
        #expect(answer.status == 200)
        return answer.json
    }

    static func poll(_ scene: Scene, _ device: JSONValue) async throws -> JSONValue {
        try await Browser().post(
            scene.endpoint("token"),
            [
                ("grant_type", grant), ("client_id", "baton"),
                ("device_code", try #require(device["device_code"]?.string)),
            ]
        ).json
    }

    @Test func `A person signs in elsewhere and approves`() async throws {
        try await Scene.run { scene in
            let device = try await Self.start(scene)
            #expect(try await Self.poll(scene, device)["error"] == "authorization_pending")
            let address = try #require(device["verification_uri_complete"]?.string)
            let page = try await scene.browser.get(address)
            #expect(page.action == "/device/login")
            let entered = try await scene.browser.submit(
                page, to: scene.base, [("username", "ana"), ("password", "ana"), ("action", "sign-in")])
            #expect(entered.status == 303)
            let asked = try await scene.browser.get(scene.base + (try #require(entered.location)))
            #expect(asked.text.contains("Ana Horvat"))
            let done = try await scene.browser.submit(asked, to: scene.base, [("action", "approve")])
            #expect(done.status == 200)
            let tokens = try await Self.poll(scene, device)
            #expect(try await scene.verified(tokens["id_token"]?.string)["preferred_username"] == "ana")
            #expect(try await Self.poll(scene, device)["error"] == "expired_token")
        }
    }

    @Test func `A code may be typed in any case without its dash, and denied`() async throws {
        try await Scene.run { scene in
            let device = try await Self.start(scene)
            let code = try #require(device["user_code"]?.string).lowercased().filter { $0 != "-" }
            let address = try #require(device["verification_uri"]?.string)
            #expect(try await scene.browser.post(address, [("user_code", "XXXX-XXXX")]).status == 400)
            let page = try await scene.browser.post(address, [("user_code", code), ("action", "next")])
            _ = try await scene.browser.submit(page, to: scene.base, [("action", "deny")])
            #expect(try await Self.poll(scene, device)["error"] == "access_denied")
        }
    }

    @Test func `Polling too fast is slowed down, and a code ends with its time`() async throws {
        let clock = HandClock()
        try await Scene.run({ $0.deviceInterval = 5 }, clock: { clock.now }) { scene in
            let device = try await Self.start(scene)
            #expect(try await Self.poll(scene, device)["error"] == "authorization_pending")
            clock.advance(3)
            #expect(try await Self.poll(scene, device)["error"] == "slow_down")
            clock.advance(6)
            #expect(try await Self.poll(scene, device)["error"] == "slow_down")
            clock.advance(20)
            #expect(try await Self.poll(scene, device)["error"] == "authorization_pending")
            clock.advance(900)
            #expect(try await Self.poll(scene, device)["error"] == "expired_token")
        }
    }

    @Test func `Control answers in the person's place`() async throws {
        try await Scene.run { scene in
            let device = try await Self.start(scene)
            let approved = try await scene.browser.postJSON(
                scene.base + "/control/approve", ["username": "ben", "user_code": device["user_code"] ?? .null])
            #expect(approved.json["approved"] == 1)
            try await scene.provider.misbehave(.noIDTokenInDeviceAnswer)
            let tokens = try await Self.poll(scene, device)
            #expect(tokens["id_token"] == nil && tokens["access_token"] != nil)
            let other = try await Self.start(scene)
            _ = try await scene.browser.postJSON(scene.base + "/control/deny", [:])
            #expect(try await Self.poll(scene, other)["error"] == "access_denied")
        }
    }

    @Test(arguments: [
        (Misbehaviour.deviceDenied, "access_denied"), (.deviceExpired, "expired_token"),
        (.deviceSlowDown, "slow_down"),
    ])
    func `Each refusal can be had`(misbehaviour: Misbehaviour, error: String) async throws {
        try await Scene.run({ $0.misconduct = Misconduct([misbehaviour]) }) { scene in
            let answer = try await Self.poll(scene, try await Self.start(scene))
            #expect(answer["error"] == .string(error))
        }
    }
}
