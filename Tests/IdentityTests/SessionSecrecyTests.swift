import Logging
import Secrets
import Synchronization
import Testing

@testable import Identity

@Suite(.timeLimit(.minutes(1))) struct SessionSecrecyTests {
    /// Keeps everything that is logged, at every level.
    private struct Capture: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.add("\(event.message) \(event.metadata ?? [:]) \(metadata)")
        }
    }

    private final class LogLines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test func `No secret is in a log line, an error or the text of a value`() async throws {
        let lines = LogLines()
        let bench = FlowsBench(
            log: Logger(label: "test", factory: { _ in Capture(lines: lines) }),
            metadata: {
                $0.revocationEndpoint = "\(FlowsProvider.origin)/revoke"
                $0.endSessionEndpoint = "\(FlowsProvider.origin)/logout"
                $0.deviceAuthorizationEndpoint = "\(FlowsProvider.origin)/device"
                $0.pushedAuthorizationRequestEndpoint = "\(FlowsProvider.origin)/par"
            }, settings: { $0.credential = .secret(Secret(text: "canary-client-secret")) })
        var texts: [String] = []
        let echo: FlowsProvider.Answer = { request in
            let sent = (request.form ?? []).map(\.value).joined(separator: " ")
            let longest = (request.form ?? []).map(\.value).max { $0.count < $1.count } ?? ""
            return .json(
                #"{"error": "\#(longest)", "suberror": "\#(longest)", "error_description": "\#(sent)", "claims": "{\\"x\\": \\"\#(longest)\\"}"}"#,
                status: 400)
        }
        // A sign-in whose every answer throws back what was sent.
        bench.provider.answer("/par", echo)
        func errorText(_ body: () async throws -> Void) async {
            do { try await body() } catch { texts.append("\(error) \(String(reflecting: error))") }
        }
        await errorText { _ = try await bench.begin(FlowsBench.request { $0.loginHint = "canary-login-hint-of-ana" }) }
        bench.provider.answer("/par") { _ in .error("invalid_client", status: 401) }
        bench.provider.answer("/token", echo)
        let pending = try await bench.begin()
        texts.append("\(pending) \(String(reflecting: pending))")
        _ = await bench.client.deliver("\(FlowsBench.redirectURI)?code=canary-code-0123456789&state=\(pending.state)")
        await errorText { _ = try await bench.client.finish(pending) }
        // One that succeeds, and a refresh that fails so.
        let nonces = bench.nonces
        bench.provider.answer("/token") { _ in
            .tokens(access: "canary-access", refresh: "canary-refresh-0123456789", id: "ana/\(nonces.text)/0/canary-id")
        }
        let signedIn = try await bench.signIn()
        texts.append("\(signedIn) \(String(reflecting: signedIn))")
        dump(signedIn.session, to: &texts[texts.count - 1])
        let token = try await signedIn.session.accessToken(scopes: [], correlationID: "")
        texts.append("\(token) \(String(reflecting: token))")
        bench.provider.answer("/token", echo)
        await errorText {
            _ = try await signedIn.session.accessToken(scopes: [], forceRefresh: true, correlationID: "")
        }
        texts.append("\(await signedIn.session.sealed())")
        // The device grant.
        bench.provider.answer("/device") { _ in
            .json(
                #"{"device_code": "canary-device-0123456789", "user_code": "canary-user", "verification_uri": "https://x", "expires_in": 9}"#
            )
        }
        let device = try await bench.client.beginDevice(FlowsBench.request())
        texts.append("\(device) \(String(reflecting: device))")
        async let polled: Void = errorText { _ = try await bench.client.finish(device) }
        await bench.clock.until(.seconds(5))
        bench.clock.advance(5)
        await polled
        // And the end.
        bench.provider.answer("/revoke", echo)
        bench.provider.answer("/logout", echo)
        texts.append("\(await signedIn.session.signOut(within: .seconds(30)))")

        #expect(lines.all.count >= 3)
        #expect(texts.count >= 9)
        let verifier = bench.provider.requests("/token").compactMap { $0["code_verifier"] }
        for text in lines.all + texts {
            #expect(!text.contains("canary"), "\(text)")
            for verifier in verifier { #expect(!text.contains(verifier)) }
        }
    }
}
