import BatonMSAL
import BusTesting
import DBus
import Foundation
import Testing

@testable import BatonMSAL

/// Tokens through `PublicClientApplication`, against a device that says what the test wants.
@Suite(.timeLimit(.minutes(1))) struct ClientTokenTests {
    func code(_ work: () async throws -> Void) async -> MSALError? {
        do {
            try await work()
            return nil
        } catch {
            let error = error as NSError
            return error.domain == MSALErrorDomain ? MSALError(rawValue: error.code) : nil
        }
    }

    @Test func `the application registers by itself, and asks on the connection that it registered on`() async throws {
        try await ClientFixture.with { test in
            test.device.set { $0.token = { _ in ClientFixture.token() } }
            var heard = test.device.heard.makeAsyncIterator()
            let account = try await test.application.account(forUsername: "ANA")
            #expect(await heard.next(isolation: #isolation) == .registered(app: ClientFixture.appID, clearedThrough: 0))
            let result = try await test.application.acquireTokenSilent(forScopes: ["mail"], account: account)
            #expect(result.accessToken == "canary" && result.account == account)
            #expect(result.account.accountClaims?["name"] as? String == "Ana Horvat")
            #expect(
                await ClientFixture.next(&heard)
                    == .token(
                        isSilent: true,
                        ["scopes": .strings(["mail"]), "account": .string(ClientFixture.ana.id)]))
            // The claims stay with the account for as long as the worker does.
            #expect(try await test.application.allAccounts().first?.accountClaims?["name"] as? String == "Ana Horvat")
        }
    }

    @Test func `an app that has something to clear clears before it asks`() async throws {
        let state = FakeDevice.State(phase: .inUse, epoch: 5, account: ClientFixture.ana, clearThrough: 4)
        try await ClientFixture.with(state) { test in
            let cleared = test.cleared
            test.device.set { state in
                state.token = { _ in
                    #expect(cleared.value == 1)
                    return ClientFixture.token()
                }
            }
            let parameters = SilentTokenParameters(scopes: [], account: nil)
            let result = try await test.application.acquireTokenSilent(with: parameters)
            #expect(result.account.username == "ana")
        }
    }

    @Test func `every parameter travels under its key, and none that was not set`() async throws {
        try await ClientFixture.with { test in
            test.device.set { $0.token = { _ in ClientFixture.token() } }
            var heard = test.device.heard.makeAsyncIterator()
            let account = ClientAccount(ClientFixture.ana)
            let parameters = InteractiveTokenParameters(scopes: ["mail"])
            parameters.promptType = .selectAccount
            parameters.loginHint = "ana"
            parameters.domainHint = "ward.example"
            parameters.extraScopesToConsent = ["files"]
            parameters.extraQueryParameters = ["dc": "eu"]
            parameters.claimsRequest = try ClaimsRequest(jsonString: "{}")
            parameters.correlationId = UUID(uuidString: "6E0B3D0A-3F64-4D3B-8E5B-0A7C0B3A5D11")
            parameters.account = account
            _ = try await test.application.acquireToken(with: parameters)
            #expect(
                await ClientFixture.next(&heard)
                    == .token(
                        isSilent: false,
                        [
                            "scopes": .strings(["mail"]), "extra-scopes": .strings(["files"]),
                            "prompt": .string("select-account"), "login-hint": .string("ana"),
                            "domain-hint": .string("ward.example"), "claims": .string("{}"),
                            "extra-query-parameters": .dictionary(["dc": .string("eu")]),
                            "account": .string(ClientFixture.ana.id),
                            "correlation-id": .string("6e0b3d0a-3f64-4d3b-8e5b-0a7c0b3a5d11"),
                            "redirect-uri": .string("msauth.org.example.Till://auth"),
                        ]))
            let silent = SilentTokenParameters(scopes: ["mail"], account: nil)
            silent.forceRefresh = true
            _ = try await test.application.acquireTokenSilent(with: silent)
            #expect(
                await ClientFixture.next(&heard)
                    == .token(isSilent: true, ["scopes": .strings(["mail"]), "force-refresh": .boolean(true)]))
        }
    }

    @Test(arguments: [BatonError.Code.invalidRedirectURI, .redirectSchemeNotRegistered])
    func `where the device does not know the default address, it takes the answer as it likes`(
        code: BatonError.Code
    ) async throws {
        try await ClientFixture.with { test in
            test.device.set { state in
                state.token = { call in
                    if call.parameters["redirect-uri"] != nil { throw BatonError(code, "Not here.") }
                    return ClientFixture.token()
                }
            }
            var heard = test.device.heard.makeAsyncIterator()
            _ = try await test.application.acquireToken(forScopes: [])
            #expect(
                await ClientFixture.next(&heard)
                    == .token(isSilent: false, ["redirect-uri": .string("msauth.org.example.Till://auth")]))
            #expect(await ClientFixture.next(&heard) == .token(isSilent: false, [:]))
        }
    }

    @Test func `an address that the app named is not exchanged for another`() async throws {
        try await ClientFixture.with(configure: { $0.redirectUri = "msauth.org.example.till://auth" }) { test in
            test.device.set { $0.token = { _ in throw BatonError(.invalidRedirectURI, "Not here.") } }
            var heard = test.device.heard.makeAsyncIterator()
            #expect(await code { _ = try await test.application.acquireToken(forScopes: []) } == .internal)
            #expect(
                await ClientFixture.next(&heard)
                    == .token(isSilent: false, ["redirect-uri": .string("msauth.org.example.till://auth")]))
        }
    }

    @Test func `a device with a browser of its own takes the answer there`() async throws {
        let browser = BrowserDescription(rawValue: "chromium 156")
        let state = FakeDevice.State(phase: .inUse, epoch: 5, account: ClientFixture.ana, browser: browser)
        try await ClientFixture.with(state) { test in
            test.device.set { $0.token = { _ in ClientFixture.token() } }
            var heard = test.device.heard.makeAsyncIterator()
            _ = try await test.application.acquireToken(forScopes: [])
            #expect(await ClientFixture.next(&heard) == .token(isSilent: false, [:]))
        }
    }

    @Test func `the page to open comes to the app while it waits`() async throws {
        try await ClientFixture.with { test in
            let (shown, show) = AsyncStream.makeStream(of: SignInStep.self)
            let page = SignInStep(kind: .openURL, url: "https://id.example/authorize")
            test.device.set { state in
                state.token = { call in
                    try call.caller.connection.emit(
                        Device1.signInStep, page.dictionary, from: Device1.path, to: call.caller.name)
                    var steps = shown.makeAsyncIterator()
                    #expect(await steps.next(isolation: #isolation) == page)
                    return ClientFixture.token()
                }
            }
            let webview = WebviewParameters()
            webview.showStep = { show.yield($0) }
            let parameters = InteractiveTokenParameters(scopes: [], webviewParameters: webview)
            let result = try await test.application.acquireToken(with: parameters)
            #expect(result.account.username == "ana")
        }
    }

    @Test func `a page is wanted: silent says so in MSAL's words, and the tutorial goes on`() async throws {
        try await ClientFixture.with { test in
            test.device.set { state in
                state.token = { call in
                    guard call.isSilent else { return ClientFixture.token() }
                    throw BatonError(
                        .interactionRequired, "Ask.",
                        details: TokenErrorDetails(reason: "consent_required").dictionary)
                }
            }
            let account = ClientAccount(ClientFixture.ana)
            do {
                _ = try await test.application.acquireTokenSilent(forScopes: [], account: account)
                Issue.record("no page was wanted")
            } catch let error as NSError {
                #expect(error.code == MSALError.interactionRequired.rawValue)
                // The details come by a call of their own, which names the id in the text.
                #expect(error.userInfo[MSALOAuthErrorKey] as? String == "consent_required")
                #expect(error.localizedDescription == "Ask. (Correlation ID: \(FakeDevice.correlationID))")
            }
            _ = try await test.application.acquireToken(forScopes: [])
        }
    }

    @Test func `a cancelled request is cancelled at the device`() async throws {
        try await ClientFixture.with { test in
            var heard = test.device.heard.makeAsyncIterator()
            test.device.set { state in
                state.token = { _ in
                    try await Task.sleep(for: .seconds(3600))
                    return ClientFixture.token()
                }
            }
            let application = test.application
            let task = Task { _ = try await application.acquireToken(forScopes: []) }
            guard case .token = await ClientFixture.next(&heard) else { throw TestingError("no request") }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(await ClientFixture.next(&heard) == .cancelled)
        }
    }

    @Test func `an answer is handed over, and one that nothing waits for is false`() async throws {
        try await ClientFixture.with { test in
            let known = try #require(URL(string: "msauth.org.example.till://auth?state=known"))
            let other = try #require(URL(string: "msauth.org.example.till://auth?state=other"))
            #expect(try await test.application.handleResponse(known, sourceApplication: "org.example.Browser"))
            #expect(try await test.application.handleResponse(other) == false)
            #expect(
                await onThreadOfItsOwn { MSALPublicClientApplication.handleMSALResponse(known, sourceApplication: nil) }
            )
            #expect(
                await onThreadOfItsOwn { MSALPublicClientApplication.handleMSALResponse(other, sourceApplication: nil) }
                    == false)
        }
    }

    @Test func `an app that ends in the middle of a turn clears and leaves`() async throws {
        try await ClientFixture.with { test in
            test.device.set { $0.token = { _ in ClientFixture.token() } }
            var heard = test.device.heard.makeAsyncIterator()
            _ = try await test.application.acquireToken(forScopes: [])
            _ = await ClientFixture.next(&heard)
            await test.application.end()
            #expect(test.cleared.value == 1)
            #expect(await ClientFixture.next(&heard) == .left(instance: 1))
        }
    }
}
