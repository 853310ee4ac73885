import Baton
import ProviderTesting
import TerminalTesting
import Testing

@Suite("A provider that lies", .timeLimit(.minutes(5)))
struct DistrustTests {
    @Test func `whatever is wrong with its answers, nobody gets the device by it`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ProviderTerminal.start(at: provider.issuer)
        let lies = [
            "wrong-signature", "unknown-kid", "algorithm-none", "symmetric-algorithm", "wrong-issuer",
            "wrong-audience", "wrong-nonce", "expired-token", "future-token", "wrong-at-hash",
            "audience-list-without-azp", "wrong-issuer-in-answer", "no-issuer-in-answer", "hostile-fields@token",
            "garbage@token", "huge@token", "not-json@token", "server-error@token", "empty-error-bodies",
        ]
        for lie in lies where lie != "empty-error-bodies" {
            try await provider.misbehave(lie)
            let refusal = try await ward.refusal {
                try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
            }
            #expect(refusal != nil, "\(lie) was believed")
            #expect(
                [.providerRejected, .providerUnreachable].contains(refusal?.code), "\(lie): \(refusal?.message ?? "")")
            try await provider.behave()
            #expect(try await ward.phase() == .ready, "\(lie)")
        }
        // And the honest answer still does.
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
    }

    @Test(arguments: ["audience-list", "no-sid", "no-auth-time", "no-refresh-token", "fewer-scopes"])
    func `what the standards leave open is accepted`(how: String) async throws {
        let provider = try await DevelopmentProviderProcess.start(["--misbehave", how])
        let ward = try await ProviderTerminal.start(at: provider.issuer)
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        #expect(try await ward.device.signOut().receipt?.outcome == .cleared)
    }

    @Test func `a provider that does not know offline_access is asked for less`() async throws {
        let provider = try await DevelopmentProviderProcess.start(["--misbehave", "no-offline-access"])
        let ward = try await ProviderTerminal.start(at: provider.issuer)
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        #expect(try await provider.state("live_refresh_tokens") == 0)
        #expect(try await ward.device.signOut().receipt?.outcome == .cleared)
    }

    @Test(arguments: ["ahead", "behind"])
    func `clocks that differ are named as such`(how: String) async throws {
        let provider = try await DevelopmentProviderProcess.start(["--misbehave", "clock-\(how)"])
        let ward = try await ProviderTerminal.start(at: provider.issuer)
        let refusal = try await ward.refusal {
            try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        }
        #expect(refusal?.code == .providerRejected)
        let text = refusal?.message ?? ""
        #expect(text.contains("clock") && text.contains("60 min \(how)"), "\(text)")
    }

    @Test func `claims that are huge or of odd types come through in measure`() async throws {
        let provider = try await DevelopmentProviderProcess.start(["--misbehave", "hostile-claims"])
        let ward = try await ProviderTerminal.start(at: provider.issuer)
        let (_, account) = try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        for text in [account.username, account.name, account.locale, account.tenant] {
            #expect(text.utf8.count <= 256)
            #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
    }

    @Test func `keys that are changed are fetched anew`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ProviderTerminal.start(at: provider.issuer)
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        _ = try await ward.device.signOut()
        try await provider.control("rotate-keys")
        try await ward.signIn(DevelopmentProviderProcess.ben, with: provider.browser())
    }

    @Test(arguments: ["hang", "refuse", "garbage", "wrong-issuer-in-discovery", "hostile-fields", "redirect-loop"])
    func `a provider that cannot be used is named and leaves the device ready`(how: String) async throws {
        let provider = try await DevelopmentProviderProcess.start(["--misbehave", how])
        let ward = try await ProviderTerminal.start(at: provider.issuer, identity: ["request-timeout: 1s"])
        let refusal = try await ward.refusal { _ = try await ward.beginSignIn() }
        #expect([.providerRejected, .providerUnreachable].contains(refusal?.code), "\(refusal?.message ?? "")")
        #expect(try await ward.phase() == .ready)
    }
}
