import Baton
import ProviderTesting
import TerminalTesting
import Testing

@Suite("Which apps get tokens", .timeLimit(.minutes(2)))
struct ListedAppTests {
    private static let ana = DevelopmentProviderProcess.ana
    private static let till = "org.example.Till"

    @Test func `with tokens for listed apps, one that no file names gets none, and hears which file is missing`()
        async throws
    {
        let provider = try await DevelopmentProviderProcess.start()
        let listed = Terminal.patient + "tokens: listed\n"
        let ward = try await ProviderTerminal.start(
            at: provider.issuer, settings: listed, apps: [Self.till: "scopes: [email]\n"])
        let app = try await TokenApp.register(ward.terminal, "org.example.Stranger")
        // Nor does it bring up the page that signs in the whole device.
        let page = try await refusal { try await app.interactively { _ in } }
        #expect(page.code == .notAuthorized, "\(page)")
        try await ward.signIn(Self.ana, with: provider.browser())
        for scopes in [[], ["openid"], ["email"]] {
            let refused = try await refusal { try await app.silently(TokenRequest(scopes: scopes)) }
            #expect(refused.code == .notAuthorized && refused.message.contains("apps.d/org.example.Stranger.yaml"))
        }
        // The file of another app is no help, its own one is.
        let till = try await TokenApp.register(ward.terminal, Self.till)
        #expect(!(try await till.silently(TokenRequest(scopes: ["openid"])).accessToken.isEmpty))
        let more = try await refusal { try await till.silently(TokenRequest(scopes: ["mail.read"])) }
        #expect(more.code == .notAuthorized && more.message.contains("apps.d/\(Self.till).yaml"), "\(more)")
        try ward.terminal.write("name: Stranger\n", to: "config/baton/apps.d/org.example.Stranger.yaml")
        _ = try await app.peer.call(Administration.reload)
        #expect(!(try await app.silently().accessToken.isEmpty))
    }

    @Test func `with tokens for listed apps, the command line has its own setting`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ProviderTerminal.start(
            at: provider.issuer,
            settings: Terminal.patient + "tokens: listed\ncommand-line-tokens: [\"\(provider.issuer)\"]\n")
        try await ward.signIn(Self.ana, with: provider.browser())
        let app = try await TokenApp.register(ward.terminal, "org.baton.batonctl.token")
        #expect(!(try await app.silently().accessToken.isEmpty))
    }

    @Test func `each token that is given is a line of the log, with the app and the scopes and without the token`()
        async throws
    {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ProviderTerminal.start(at: provider.issuer)
        let app = try await TokenApp.register(ward.terminal, Self.till)
        let (epoch, _) = try await ward.signIn(Self.ana, with: provider.browser())
        let refused = try await refusal { try await app.silently(TokenRequest(scopes: ["mail"])) }
        #expect(refused.code == .interactionRequired)
        let token = try await app.silently()
        let line = try await ward.daemon.line(containing: "an app was given a token")
        #expect(line.contains(" app=\(Self.till) epoch=\(epoch) pid="), "\(line)")
        #expect(!line.contains(" pid=0 "), "\(line)")
        #expect(line.contains("scopes=\"\(token.scopes.joined(separator: " "))\""), "\(line)")
        _ = try await app.silently(TokenRequest(forceRefresh: true))
        let receipt = try await ward.device.signOut().receipt
        #expect(receipt?.tokens.map(\.app) == [Self.till] && receipt?.tokens.map(\.count) == [2])
        #expect(receipt?.tokensExplanation.isEmpty == true)
        _ = try await ward.daemon.line(containing: "the worker is signed out")
        let lines = ward.daemon.output.split(separator: "\n").filter { $0.contains("an app was given a token") }
        #expect(lines.count == 2, "\(lines)")
        #expect(!ward.daemon.output.contains(token.accessToken))
    }

    @Test func `a receipt does not claim to have counted the tokens from before a kill`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ProviderTerminal.start(at: provider.issuer)
        let app = try await TokenApp.register(ward.terminal, Self.till)
        try await ward.signIn(Self.ana, with: provider.browser())
        _ = try await app.silently()
        await ward.daemon.kill()
        let daemon = try await ward.terminal.startDaemon()
        let receipt = try #require(try await ward.device.signOut().receipt)
        #expect(receipt.tokens.isEmpty && receipt.tokensExplanation.contains("restart of batond"), "\(receipt)")
        withExtendedLifetime(daemon) {}
    }
}
