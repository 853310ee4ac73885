import Baton
import DBus
import Glibc
import ProviderTesting
import TerminalTesting
import Testing
import WebText

@Suite("A token without a page", .timeLimit(.minutes(2)))
struct SilentTests {
    static let ana = DevelopmentProviderProcess.ana

    func ward(
        _ provider: DevelopmentProviderProcess, apps: [String: String] = [:], identity: [String] = []
    ) async throws -> ProviderTerminal {
        try await ProviderTerminal.start(at: provider.issuer, identity: identity, apps: apps)
    }

    @Test func `comes from memory, with all that an app wants to know of it`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ward(provider)
        let app = try await TokenApp.register(ward.terminal)
        let (epoch, account) = try await ward.signIn(Self.ana, with: provider.browser())
        let before = try await provider.state("token")
        let token = try await app.silently(TokenRequest(correlationID: "my-own-id"))
        #expect(!token.accessToken.isEmpty && token.tokenType == "Bearer" && token.epoch == epoch)
        #expect(token.account == account && token.authority == provider.issuer)
        #expect(token.scopes.contains("profile") && token.declinedScopes.isEmpty)
        #expect(token.correlationID == "my-own-id")
        #expect(Int64(token.expires) > Int64(time(nil)) + 3000)
        #expect(token.claims.contains("\"preferred_username\":\"ana\"") && token.claims.first == "{")
        #expect(token.idToken.split(separator: ".").count == 3)
        #expect(try await app.silently().accessToken == token.accessToken)
        #expect(try await provider.state("token") == before)
        // The service that the token is for takes it.
        let me = try await WebClient().get(
            "\(provider.issuer)/me", headers: [("authorization", "Bearer \(token.accessToken)")])
        #expect(me.status == 200 && me.text.contains("Ana Horvat"))
    }

    @Test func `is refreshed when it ends soon, when the app says so, and when claims are asked for`() async throws {
        let provider = try await DevelopmentProviderProcess.start(["--access-token-lifetime", "200"])
        let ward = try await ward(provider)
        let app = try await TokenApp.register(ward.terminal)
        try await ward.signIn(Self.ana, with: provider.browser())
        var seen: Set<String> = []
        for _ in 0..<2 { seen.insert(try await app.silently().accessToken) }
        #expect(seen.count == 2, "a token that is good for less than five minutes is no answer")

        let lasting = try await DevelopmentProviderProcess.start()
        let second = try await self.ward(lasting)
        let till = try await TokenApp.register(second.terminal)
        try await second.signIn(Self.ana, with: lasting.browser())
        let first = try await till.silently().accessToken
        let forced = try await till.silently(TokenRequest(forceRefresh: true)).accessToken
        #expect(forced != first)
        #expect(try await till.silently().accessToken == forced)
        let claims = #"{"access_token":{"nbf":{"essential":true,"value":"1"}}}"#
        let claimed = try await till.silently(TokenRequest(claims: claims)).accessToken
        #expect(claimed != forced)
        let spelt = #"{ "access_token": {"nbf": {"value": "1", "essential": true}} }"#
        #expect(try await till.silently(TokenRequest(claims: spelt)).accessToken == claimed)
        let other = try await till.silently(TokenRequest(claims: #"{"access_token":{"x":null}}"#)).accessToken
        #expect(other != claimed)
    }

    @Test func `while the provider is away it is the one that is still good, else the provider is to blame`()
        async throws
    {
        let provider = try await DevelopmentProviderProcess.start(["--access-token-lifetime", "200"])
        let ward = try await ward(provider, identity: ["request-timeout: 3s"])
        let app = try await TokenApp.register(ward.terminal)
        try await ward.signIn(Self.ana, with: provider.browser())
        let token = try await app.silently().accessToken
        for fault in ["refuse", "server-error@token", "hang@token"] {
            try await provider.misbehave(fault)
            #expect(try await app.silently().accessToken == token, "\(fault)")
            let refused = try await refusal { try await app.silently(TokenRequest(forceRefresh: true)) }
            #expect(refused.code == .providerUnreachable, "\(fault): \(refused)")
            let wanting = try await refusal { try await app.silently(TokenRequest(scopes: ["openid", "email"])) }
            #expect(wanting.code == .providerUnreachable, "\(fault): \(wanting)")
            try await provider.behave()
        }
    }

    @Test(arguments: [
        ("invalid-grant-on-refresh", "invalid_grant"), ("interaction-required-on-refresh", "interaction_required"),
        ("invalid-request-on-refresh", "invalid_request"), ("consent-required", "consent_required"),
        ("admin-consent-required", "admin_consent_required"),
    ])
    func `needs the worker when the provider says so, and says why`(fault: String, reason: String) async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ward(provider)
        let app = try await TokenApp.register(ward.terminal)
        try await ward.signIn(Self.ana, with: provider.browser())
        try await provider.misbehave(fault)
        let refused = try await refusal {
            try await app.silently(TokenRequest(forceRefresh: true, correlationID: "trace-1"))
        }
        #expect(refused.code == .interactionRequired)
        #expect(refused.tokenDetails.reason == reason)
        #expect(refused.tokenDetails.correlationID == "trace-1")
        #expect(refused.message.contains(reason == "admin_consent_required" ? "administrator" : "AcquireToken"))
        // What is in memory is still good.
        _ = try await app.silently()
    }

    @Test func `is revoked when the turn ends, also when another one has taken its place`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ward(provider)
        let app = try await TokenApp.register(ward.terminal)
        try await ward.signIn(Self.ana, with: provider.browser())
        for _ in 0..<2 { _ = try await app.silently(TokenRequest(forceRefresh: true)) }
        #expect(try await provider.state("live_access_tokens") == 3)
        _ = try await ward.device.signOut()
        #expect(try await provider.state("live_access_tokens") == 0)
    }

    @Test func `of scopes that nobody granted needs the worker`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ward(provider)
        let app = try await TokenApp.register(ward.terminal)
        try await ward.signIn(Self.ana, with: provider.browser())
        let refused = try await refusal { try await app.silently(TokenRequest(scopes: ["mail"])) }
        #expect(refused.code == .interactionRequired && refused.tokenDetails.reason == "invalid_scope")
    }

    @Test func `tells Microsoft's codes apart`() async throws {
        let provider = try await DevelopmentProviderProcess.start(["--kind", "entra"])
        let base = try #require(try await provider.state(of: "base")?.string)
        let tenant = "2f1a7c3e-5d0b-4c8e-9a46-0b7e8d1c9f52"
        let ward = try await ProviderTerminal.start(at: "\(base)/\(tenant)", identity: ["authority-type: entra"])
        let app = try await TokenApp.register(ward.terminal)
        let (_, account) = try await ward.signIn(Self.ana, with: provider.browser())
        #expect(try await app.silently(TokenRequest(account: account.homeAccountID)).account == account)
        // A refresh token of Microsoft's asks for whatever the worker has allowed anywhere.
        let mail = try await app.silently(TokenRequest(scopes: ["Mail.Read"]))
        #expect(mail.scopes.contains("Mail.Read"))
        try await provider.misbehave("interaction-required-on-refresh")
        let refused = try await refusal { try await app.silently(TokenRequest(forceRefresh: true)) }
        #expect(refused.code == .interactionRequired)
        #expect(refused.tokenDetails.subError == "basic_action" && refused.tokenDetails.errorCodes == [50076])
    }

    @Test func `is for an API on Azure AD B2C, whose sign-in brings none`() async throws {
        let provider = try await DevelopmentProviderProcess.start(["--kind", "b2c"])
        let base = try #require(try await provider.state(of: "base")?.string)
        let ward = try await ProviderTerminal.start(
            at: "\(base)/2f1a7c3e-5d0b-4c8e-9a46-0b7e8d1c9f52/b2c_1_in", identity: ["authority-type: b2c"])
        let app = try await TokenApp.register(ward.terminal)
        let (_, account) = try await ward.signIn(Self.ana, with: provider.browser())
        #expect(account.homeAccountID.hasSuffix("-b2c_1_in.2f1a7c3e-5d0b-4c8e-9a46-0b7e8d1c9f52"))
        let refused = try await refusal { try await app.silently() }
        #expect(refused.code == .providerRejected && refused.tokenDetails.reason == "unsupported")
        #expect(refused.message.contains("client id"), "\(refused.message)")
        let token = try await app.silently(TokenRequest(scopes: ["baton"]))
        #expect(!token.accessToken.isEmpty && token.scopes.contains("baton"))
        #expect(try await ward.device.signOut().receipt?.outcome == .cleared)
    }

    @Test(arguments: ["throttled@token", "busy@token"])
    func `is not asked for again before the provider wants it`(fault: String) async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ward(provider)
        let app = try await TokenApp.register(ward.terminal)
        try await ward.signIn(Self.ana, with: provider.browser())
        try await provider.misbehave(fault)
        let forced = TokenRequest(forceRefresh: true)
        let first = try await refusal { try await app.silently(forced) }
        #expect(first.code == .providerUnreachable && first.message.contains("Try again in"), "\(first.message)")
        try await provider.behave()
        let asked = try await provider.state("token")
        #expect(try await refusal { try await app.silently(forced) }.code == .providerUnreachable)
        #expect(try await provider.state("token") == asked)
        // That is about refreshes: the next worker's sign-in does not wait.
        _ = try await ward.device.signOut()
        try await ward.signIn(DevelopmentProviderProcess.ben, with: provider.browser())
    }

    @Test func `is for whom the app means, and nobody else`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ward(provider)
        let app = try await TokenApp.register(ward.terminal)
        let (_, account) = try await ward.signIn(Self.ana, with: provider.browser())
        _ = try await app.silently(TokenRequest(account: account.id))
        _ = try await app.silently(TokenRequest(account: account.homeAccountID))
        for other in ["somebody", account.id + "x", account.username, account.name] {
            let refused = try await refusal { try await app.silently(TokenRequest(account: other)) }
            #expect(refused.code == .accountMismatch, "\(other)")
        }
    }

    @Test func `is shared by all apps, whatever their number, by one refresh`() async throws {
        let provider = try await DevelopmentProviderProcess.start(["--access-token-lifetime", "200"])
        let ward = try await ward(provider)
        var apps: [TokenApp] = []
        for number in 0..<20 { apps.append(try await TokenApp.register(ward.terminal, "org.example.App\(number)")) }
        try await ward.signIn(Self.ana, with: provider.browser())
        let before = try await provider.state("token")
        try await provider.misbehave("slow@token")
        let asking = apps.map { app in Task { try await app.silently().accessToken } }
        try await provider.request("token", number: before + 1)
        var tokens: Set<String> = []
        for task in asking { tokens.insert(try await task.value) }
        #expect(tokens.count == 1)
        #expect(try await provider.state("token") == before + 1)
    }

    @Test func `is for the scopes of the app's file, where that lists some`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ward(
            provider, apps: ["org.example.Till": "scopes: [email]\n", "org.example.Other": "name: Other\n"],
            identity: ["scopes: [openid, profile, email, offline_access]"])
        let (till, other) = (
            try await TokenApp.register(ward.terminal), try await TokenApp.register(ward.terminal, "org.example.Other")
        )
        try await ward.signIn(Self.ana, with: provider.browser())
        #expect(try await till.silently(TokenRequest(scopes: ["openid", "email"])).scopes.contains("email"))
        let refused = try await refusal { try await till.silently(TokenRequest(scopes: ["mail.read"])) }
        #expect(refused.code == .notAuthorized && refused.message.contains("mail.read"))
        #expect(
            try await refusal { try await other.silently(TokenRequest(scopes: ["mail.read"])) }.code
                == .interactionRequired)
    }

}
