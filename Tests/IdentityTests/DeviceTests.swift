import Secrets
import Synchronization
import Testing
import WebText

@testable import Identity

@Suite(.timeLimit(.minutes(1))) struct DeviceTests {
    private static let answer = #"""
        {"device_code": "device-1", "user_code": "WDJB-MJHT", "verification_uri": "https://login.example/device",
         "verification_uri_complete": "https://login.example/device?code=WDJB-MJHT", "expires_in": 900, "interval": 5}
        """#

    private func bench(clock: FlowsClock = FlowsClock(jumps: true), answer: String = answer) -> FlowsBench {
        let bench = FlowsBench(
            clock: clock, metadata: { $0.deviceAuthorizationEndpoint = "\(FlowsProvider.origin)/device" })
        bench.provider.answer("/device") { _ in .json(answer) }
        return bench
    }

    /// Answers the questions one after the other; the last answer stays.
    private func answer(_ bench: FlowsBench, _ answers: [FlowsProvider.Answer]) {
        let next = Mutex(0)
        bench.provider.answer("/token") { request throws(IdentityError) in
            let number = next.withLock { number in
                defer { number += 1 }
                return min(number, answers.count - 1)
            }
            return try await answers[number](request)
        }
    }

    private static let pending: FlowsProvider.Answer = { _ in .error("authorization_pending") }
    private static let slowDown: FlowsProvider.Answer = { _ in .error("slow_down") }
    private static let unreachable: FlowsProvider.Answer = { _ throws(IdentityError) in throw IdentityError(.network) }
    private static let tokens: FlowsProvider.Answer = { _ in
        .tokens(access: "access-1", refresh: "refresh-1", id: "ana//0/first")
    }

    @Test func `The worker is told a code and a page`() async throws {
        let bench = bench()
        let pending = try await bench.client.beginDevice(FlowsBench.request { $0.extraScopesToConsent = ["Mail.Read"] })
        #expect(pending.userCode == "WDJB-MJHT")
        #expect(pending.verificationURI == "https://login.example/device")
        #expect(pending.verificationURIComplete == "https://login.example/device?code=WDJB-MJHT")
        #expect(pending.expires == bench.clock.now + 900)
        #expect(pending.interval == 5)
        let request = try #require(bench.provider.requests("/device").first)
        #expect(request["client_id"] == "baton device")
        #expect(request["scope"] == "openid profile offline_access Mail.Read")
    }

    @Test func `The provider is asked as often as it allows, and less often when it says so`() async throws {
        let bench = bench()
        answer(bench, [Self.pending, Self.slowDown, Self.pending, Self.slowDown, Self.tokens])
        let pending = try await bench.client.beginDevice(FlowsBench.request())
        let signedIn = try await bench.client.finish(pending)
        #expect(signedIn.identity.subject == "ana")
        #expect(bench.clock.sleeps == [5, 5, 10, 10, 15].map { Duration.seconds($0) })
        let question = try #require(bench.provider.requests("/token").last)
        #expect(question["grant_type"] == "urn:ietf:params:oauth:grant-type:device_code")
        #expect(question["device_code"] == "device-1")
        #expect(question["client_id"] == "baton device")
    }

    @Test func `A provider that cannot be reached is asked again, less and less often`() async throws {
        let bench = bench()
        let busy: FlowsProvider.Answer = { _ in HTTPResponse(status: 503) }
        let late: FlowsProvider.Answer = { _ throws(IdentityError) in throw IdentityError(.timeout) }
        answer(bench, [Self.unreachable, busy, late, Self.pending, Self.tokens])
        let pending = try await bench.client.beginDevice(FlowsBench.request())
        _ = try await bench.client.finish(pending)
        #expect(bench.clock.sleeps == [5, 10, 20, 40, 5].map { Duration.seconds($0) })
    }

    @Test func `Waiting ends when the code runs out`() async throws {
        for forever in [Self.pending, Self.slowDown, Self.unreachable] {
            let bench = bench()
            answer(bench, [forever])
            let start = bench.clock.now
            let pending = try await bench.client.beginDevice(FlowsBench.request())
            #expect(await cause { _ = try await bench.client.finish(pending) } == .expired)
            #expect(bench.clock.now - start == 900)
        }
    }

    @Test(arguments: [
        ("access_denied", IdentityError.Cause.denied), ("authorization_declined", .denied), ("expired_token", .expired),
        ("invalid_grant", .interactionRequired(code: "invalid_grant")),
        ("invalid_client", .rejected(code: "invalid_client", status: 400)),
    ])
    func `A definite answer ends the waiting`(code: String, expected: IdentityError.Cause) async throws {
        let bench = bench()
        answer(bench, [Self.pending, { _ in .error(code) }])
        let pending = try await bench.client.beginDevice(FlowsBench.request())
        #expect(await cause { _ = try await bench.client.finish(pending) } == expected)
        #expect(bench.provider.requests("/token").count == 2)
    }

    @Test func `A provider that sends no ID token is asked who it is`() async throws {
        let bench = bench()
        answer(bench, [{ _ in .tokens(access: "access-1") }])
        let pending = try await bench.client.beginDevice(FlowsBench.request())
        #expect(try await bench.client.finish(pending).claims["from"] == .string("userinfo"))
    }

    @Test func `Waiting can be cancelled`() async throws {
        let bench = bench(clock: FlowsClock())
        let pending = try await bench.client.beginDevice(FlowsBench.request())
        let waiting = Task { await cause { _ = try await bench.client.finish(pending) } }
        await bench.clock.until(.seconds(5))
        waiting.cancel()
        #expect(await waiting.value == .canceled)
    }

    @Test func `A provider without the grant is said to have none`() async throws {
        let bench = FlowsBench()
        let found = await cause { _ = try await bench.client.beginDevice(FlowsBench.request()) }
        #expect(found == .unsupported(what: "device grant"))
    }

    @Test(arguments: [
        ("", "device authorization answer"), ("[]", "device authorization answer"), ("{}", "device_code"),
        (#"{"device_code": 1}"#, "device_code"), (#"{"device_code": ""}"#, "device_code"),
        (#"{"device_code": "d"}"#, "user_code"), (#"{"device_code": "d", "user_code": "a\u001b[2J"}"#, "user_code"),
        (#"{"device_code": "d", "user_code": "u"}"#, "verification_uri"),
        (#"{"device_code": "d", "user_code": "u", "verification_uri": "javascript:x"}"#, "verification_uri"),
        (#"{"device_code": "d", "user_code": "u", "verification_uri": "https://x"}"#, "expires_in"),
        (#"{"device_code": "d", "user_code": "u", "verification_uri": "https://x", "expires_in": -1}"#, "expires_in"),
    ])
    func `A device answer that lacks something is refused by name`(body: String, what: String) async throws {
        let bench = bench(answer: body)
        let found = await cause { _ = try await bench.client.beginDevice(FlowsBench.request()) }
        #expect(found == .invalidAnswer(what: what))
    }

    @Test func `Numbers of a device answer are kept within bounds`() async throws {
        let bench = bench(
            answer: #"""
                {"device_code": "d", "user_code": "u", "verification_url": "https://x", "expires_in": "9223372036854775807",
                 "interval": -5, "verification_uri_complete": "file:///etc/passwd"}
                """#)
        let pending = try await bench.client.beginDevice(FlowsBench.request())
        #expect(pending.expires == bench.clock.now + 86_400)
        #expect(pending.interval == 1)
        #expect(pending.verificationURIComplete == nil)
    }
}
