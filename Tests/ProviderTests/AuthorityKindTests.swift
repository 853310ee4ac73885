import Baton
import FolderTesting
import ProviderTesting
import TerminalTesting
import Testing
import WebText

@Suite("Authorities of each kind", .timeLimit(.minutes(3)))
struct AuthorityKindTests {
    private static let tenant = "5f4ce31b-2b5c-4d3e-9b57-0f7a3c8e9d10"
    private static let other = "11111111-2222-4333-8444-555555555555"
    private static let object = "99999999-2222-4333-8444-555555555555"
    private static let pat = ProviderAccount(username: "pat", password: "pat", name: "Pat")

    private func provider(_ kind: String) async throws -> (DevelopmentProviderProcess, base: String) {
        let provider = try await DevelopmentProviderProcess.start(["--kind", kind, "--tenant", Self.tenant])
        return (provider, try #require(try await provider.state(of: "base")?.string))
    }

    private func ward(_ authority: String, _ kind: String, _ more: [String] = []) async throws -> ProviderTerminal {
        try await ProviderTerminal.start(at: authority, identity: ["authority-type: \(kind)"] + more)
    }

    @Test(arguments: [
        ("entra", "/\(tenant)"), ("b2c", "/\(tenant)/B2C_1_signin"), ("external", "/\(tenant)"), ("adfs", "/adfs"),
    ])
    func `a worker signs in and out at each kind of authority`(kind: String, path: String) async throws {
        let (provider, base) = try await provider(kind)
        let ward = try await ward(base + path, kind)
        let (_, account) = try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        #expect(account.username.hasPrefix("ana"))
        #expect(kind != "entra" || account.tenant == Self.tenant)
        #expect(kind != "entra" || account.homeAccountID.hasSuffix(".\(Self.tenant)"))
        #expect(try await ward.device.signOut().receipt?.provider == .signedOut)
    }

    @Test(arguments: [("entra", "/\(tenant)"), ("b2c", "/\(tenant)/B2C_1_signin"), ("external", "/\(tenant)")])
    func `a sign-in that is cancelled on Microsoft's pages ends at once`(kind: String, path: String) async throws {
        let (provider, base) = try await provider(kind)
        let ward = try await ward(base + path, kind)
        let (step, task) = try await ward.beginSignIn()
        let redirect = try await provider.browser().cancel(at: step.url)
        #expect(redirect.lowercased().contains("%0d%0atrace"))
        #expect(try await ward.device.handleResponse(url: redirect))
        #expect(try await ward.refusal { _ = try await task.value }?.code == .userCanceled)
        #expect(try await ward.phase() == .ready)
    }

    @Test func `of the accounts of many tenants only the allowed ones hold the device`() async throws {
        let (provider, base) = try await provider("entra")
        let allowed = try await ward(base + "/organizations", "entra", ["allowed-tenants: [\(Self.tenant)]"])
        try await allowed.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        let strict = try await ward(base + "/common", "entra", ["allowed-tenants: [\(Self.other)]"])
        let refusal = try await strict.refusal {
            try await strict.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        }
        #expect(refusal?.code == .notAuthorized)
        #expect(refusal?.message.contains("tenant") == true, "\(refusal?.message ?? "")")
        #expect(try await strict.phase() == .ready)
    }

    @Test func `personal accounts hold the device only where that is allowed`() async throws {
        let (provider, base) = try await provider("entra")
        let strict = try await ward(base + "/common", "entra", ["allow-any-tenant: true"])
        let refusal = try await strict.refusal { try await strict.signIn(Self.pat, with: provider.browser()) }
        #expect(refusal?.code == .notAuthorized)
        #expect(refusal?.message.contains("personal") == true, "\(refusal?.message ?? "")")
        let open = try await ward(
            base + "/consumers", "entra", ["allow-any-tenant: true", "allow-personal-accounts: true"])
        try await open.signIn(Self.pat, with: provider.browser())
    }

    @Test func `a guest has the account of their own tenant, and can be kept out`() async throws {
        let folder = try TemporaryFolder("accounts")
        let accounts = try folder.write(
            """
            - {username: gil, password: gil, name: Gil, home-tid: \(Self.other), home-oid: \(Self.object)}
            - {username: ana, password: ana, name: Ana Horvat}

            """, to: "accounts.yaml")
        let gil = ProviderAccount(username: "gil", password: "gil", name: "Gil")
        let provider = try await DevelopmentProviderProcess.start([
            "--kind", "entra", "--tenant", Self.tenant, "--accounts", accounts,
        ])
        let base = try #require(try await provider.state(of: "base")?.string)
        let open = try await ward("\(base)/\(Self.tenant)", "entra")
        let (_, guest) = try await open.signIn(gil, with: provider.browser())
        #expect(guest.homeAccountID == "\(Self.object).\(Self.other)" && guest.tenant == Self.tenant)
        let strict = try await ward("\(base)/\(Self.tenant)", "entra", ["allow-guests: false"])
        let refusal = try await strict.refusal { try await strict.signIn(gil, with: provider.browser()) }
        #expect(refusal?.code == .notAuthorized && refusal?.message.contains("guests") == true)
        try await strict.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        _ = try await strict.device.signOut()
        // Where nobody says who is a guest, nobody is let in.
        try await provider.misbehave("no-client-info")
        let silent = try await strict.refusal {
            try await strict.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        }
        #expect(silent?.code == .notAuthorized && silent?.message.contains("does not say") == true)
    }

    @Test func `a key for personal accounts signs in no one of a tenant`() async throws {
        let (provider, base) = try await provider("entra")
        try await provider.misbehave("key-of-another-issuer")
        let ward = try await ward(
            "\(base)/common", "entra", ["allow-any-tenant: true", "allow-personal-accounts: true"])
        let refusal = try await ward.refusal {
            try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        }
        #expect(refusal?.code == .providerRejected && refusal?.message.contains("another issuer") == true)
        try await ward.signIn(Self.pat, with: provider.browser())
    }

    @Test(arguments: ["common", "organizations"])
    func `an authority of everybody needs to be told whose accounts are meant`(audience: String) async throws {
        let terminal = try Terminal(settings: "", accounts: false)
        try terminal.configure(
            ProviderTerminal.settings("https://login.microsoftonline.com/\(audience)", "baton", []), accounts: false)
        let check = try terminal.run(["batond", "--session", "--check"])
        #expect(await check.end() == 78)
        #expect(check.output.contains("allowed-tenants"), "\(check.output)")
    }
}
