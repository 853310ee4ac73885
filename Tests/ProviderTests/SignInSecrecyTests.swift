import Baton
import ProviderTesting
import TerminalTesting
import Testing

@Suite("Secrets of a sign-in", .timeLimit(.minutes(2)))
struct SignInSecrecyTests {
    @Test func `no token, code or verifier is in a log, the journal, or a process's arguments and environment`()
        async throws
    {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ProviderTerminal.start(at: provider.issuer, arguments: ["--log-level", "trace"])
        let (step, task) = try await ward.beginSignIn()
        let redirect = try await provider.browser().signIn(at: step.url, as: DevelopmentProviderProcess.ana)
        let code = try #require(redirect.firstMatch(of: /[?&]code=([^&]+)/)).output.1
        let state = try #require(redirect.firstMatch(of: /[?&]state=([^&]+)/)).output.1
        try await ProviderTerminal.deliver(redirect, to: ward.device)
        _ = try await task.value
        // A refusal that the provider makes of it, with the code in its hands.
        try await provider.misbehave("wrong-signature")
        _ = try await ward.refusal { try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser()) }
        try await provider.behave()
        _ = try await ward.device.signOut()

        var places = [ward.daemon.output]
        let search = try ward.terminal.run([
            "sh", "-c",
            "cat \(ward.terminal.folder)/state/*/* /proc/\(ward.daemon.pid)/environ /proc/\(ward.daemon.pid)/cmdline | tr '\\0' '\\n'",
        ])
        _ = await search.end()
        places.append(search.output)
        #expect(search.output.contains("SQLite"))
        for place in places {
            #expect(!place.contains(code) && !place.contains(state))
            // Signed tokens of any kind begin so.
            #expect(!place.contains("eyJ"))
        }
    }
}
