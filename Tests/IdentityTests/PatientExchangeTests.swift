import Testing

@testable import Identity

@Suite(.timeLimit(.minutes(1))) struct PatientExchangeTests {
    private let provider = FlowsProvider()
    private let clock = FlowsClock()
    private let way: PatientExchange

    init() { way = PatientExchange(provider, clock: clock.identityClock) }

    private func ask(_ grant: String = "refresh_token", at path: String = "/token") async throws -> HTTPResponse {
        try await way.send(
            HTTPRequest(
                .post, "\(FlowsProvider.origin)\(path)", form: [("grant_type", grant)], correlationID: "c"))
    }

    private func answer(_ status: Int, after text: String) {
        provider.answer("/token") { _ in HTTPResponse(status: status, headers: [("Retry-After", text)]) }
    }

    // The clock begins on Fri, 15 Jan 2027 08:00:00 GMT.
    @Test(arguments: [
        (429, "30", 30), (503, "1", 1), (429, "Fri, 15 Jan 2027 08:02:00 GMT", 120), (503, "99999999999999999999", 600),
        (429, "Fri, 15 Jan 2100 08:02:00 GMT", 600), (429, "0", 0), (429, "-5", 0), (429, "soon", 0), (429, "", 0),
        (429, "Fri, 15 Jan 2027 07:00:00 GMT", 0), (429, "Fri, 15 Jan 2027 08:02:00 GMT+1", 0), (500, "30", 0),
        (200, "30", 0),
    ])
    func `A provider that wants to be left alone is`(status: Int, text: String, seconds: Int64) async throws {
        answer(status, after: text)
        #expect(try await ask().status == status)
        if seconds > 0 {
            let again = try await ask()
            #expect(again.status == status && again.header("Retry-After") == "\(seconds)")
            clock.advance(seconds - 1)
            #expect(try await ask().retryAfter(at: clock.now) == 1)
            #expect(provider.requests("/token").count == 1)
            clock.advance(1)
        }
        provider.answer("/token") { _ in HTTPResponse(status: 200) }
        for _ in 0..<2 { #expect(try await ask().status == 200) }
        #expect(provider.requests("/token").count == 3)
    }

    @Test func `Another address is asked, and another grant`() async throws {
        answer(429, after: "30")
        _ = try await ask()
        #expect(try await ask("authorization_code").status == 429)
        #expect(try await ask(at: "/revoke").status == 404)
        #expect(provider.requests("/token").count == 2 && provider.requests("/revoke").count == 1)
    }

    @Test func `A clock that is set back makes no longer pause`() async throws {
        answer(429, after: "30")
        _ = try await ask()
        clock.advance(-3600)
        _ = try await ask()
        #expect(provider.requests("/token").count == 2)
    }

    @Test func `Places that are made up do not pile up`() async throws {
        for number in 0..<200 {
            let path = "/\(number)"
            provider.answer(path) { _ in HTTPResponse(status: 429, headers: [("Retry-After", "\(number + 1)")]) }
            _ = try await ask(at: path)
        }
        // Those that end last are remembered.
        _ = try await ask(at: "/199")
        #expect(provider.requests("/199").count == 1)
        _ = try await ask(at: "/0")
        #expect(provider.requests("/0").count == 2)
    }
}
