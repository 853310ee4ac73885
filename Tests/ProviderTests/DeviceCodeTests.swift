import Baton
import ProviderTesting
import TerminalTesting
import Testing
import WebText

@Suite("Signing in with a code on another device", .timeLimit(.minutes(2)))
struct DeviceCodeTests {
    private func ward(_ misbehaviours: String...) async throws -> (DevelopmentProviderProcess, ProviderTerminal) {
        let provider = try await DevelopmentProviderProcess.start(
            ["--device-interval", "1"] + misbehaviours.flatMap { ["--misbehave", $0] })
        return (provider, try await ProviderTerminal.start(at: provider.issuer))
    }

    @Test(arguments: ["none", "no-id-token-in-device-answer", "device-slow-down"])
    func `batonctl shows the code, and the worker approves on the phone`(how: String) async throws {
        let (provider, ward) = try await how == "none" ? ward() : ward(how)
        let program = try ward.terminal.run(["batonctl", "sign-in", "--device-code"])
        let line = try await program.line(containing: "Code ")
        let code = try #require(line.split(separator: " ").last.map(String.init))
        try await provider.control("approve", ["username": .string("ana"), "user_code": .string(code)])
        #expect(await program.end() == 0, "\(program.output)")
        #expect(program.output.contains("(ana) holds the device"))
    }

    @Test func `the page of the code lets the worker say yes`() async throws {
        let (provider, ward) = try await ward()
        let (_, account) = try await ward.signIn(
            DevelopmentProviderProcess.ben, with: provider.browser(), ProviderSignIn(.deviceCode))
        #expect(account.username == "ben")
    }

    @Test(arguments: [("device-denied", "denied at the identity provider"), ("device-expired", "The code expired")])
    func `denial and expiry each leave the device ready and say which it was`(how: String, text: String) async throws {
        let (provider, ward) = try await ward(how)
        let (_, task) = try await ward.beginSignIn(ProviderSignIn(.deviceCode))
        let refusal = try await ward.refusal { _ = try await task.value }
        #expect(refusal?.code == .userCanceled)
        #expect(refusal?.message.contains(text) == true, "\(refusal?.message ?? "")")
        #expect(try await ward.phase() == .ready)
        #expect(try await provider.state("device-authorization") == 1)
    }

    @Test func `a provider without device codes is said to have none`() async throws {
        let (provider, ward) = try await ward("no-device-endpoint")
        let refusal = try await ward.refusal { _ = try await ward.beginSignIn(ProviderSignIn(.deviceCode)) }
        #expect(refusal?.code == .providerRejected)
        #expect(refusal?.message.contains("does not offer") == true, "\(refusal?.message ?? "")")
        #expect(try await provider.state("device-authorization") == 0)
    }
}
