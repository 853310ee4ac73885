import Secrets
import Testing
import WebText

@testable import Identity

@Suite("Who may hold the device")
struct AccountRuleTests {
    static let tenant = VerificationBench.tenant
    static let other = AuthorityTests.other
    static let personal = AuthorityTests.personal
    static let entra = "https://login.microsoftonline.com"

    private func settings(_ authority: String, _ change: (inout ClientSettings) -> Void = { _ in }) throws
        -> ClientSettings
    {
        var settings = ClientSettings.ordinary(authority: try Authority(authority), clientID: "baton-terminal")
        change(&settings)
        return settings
    }

    private func refused(_ tenant: String?, _ settings: ClientSettings, domain: String? = nil) -> String? {
        var claims: [String: JSONValue] = ["sub": "worker-1"]
        claims["tid"] = tenant.map { .string($0) }
        claims["hd"] = domain.map { .string($0) }
        let identity = WorkerIdentity(
            issuer: "https://issuer.example", subject: "worker-1", claims: claims, authority: settings.authority)
        do throws(IdentityError) {
            try AccountRule().check(identity, claims: claims, settings: settings)
            return nil
        } catch {
            return error.cause.isRefusedAccount ? error.cause.sentence : "\(error.cause)"
        }
    }

    @Test func `an ordinary provider's accounts may sign in`() throws {
        #expect(refused(nil, try settings("https://id.example.com")) == nil)
    }

    @Test func `an ordinary provider's domain can be demanded`() throws {
        let settings = try settings("https://id.example.com") { $0.allowedTenants = ["Ward.example"] }
        #expect(refused(nil, settings, domain: "ward.example") == nil)
        #expect(refused("WARD.example", settings) == nil)
        #expect(refused(nil, settings, domain: "other.example")?.contains("none of the allowed tenants") == true)
        #expect(refused(nil, settings)?.contains("none of the allowed tenants") == true)
    }

    @Test func `one tenant means that tenant`() throws {
        let settings = try settings("\(Self.entra)/\(Self.tenant)")
        #expect(refused(Self.tenant.uppercased(), settings) == nil)
        #expect(refused(Self.other, settings)?.contains("another tenant") == true)
        #expect(refused(Self.personal, settings)?.contains("personal") == true)
        #expect(refused(nil, settings)?.contains("does not name the tenant") == true)
        #expect(refused("not-an-id", settings)?.contains("does not name the tenant") == true)
    }

    @Test(arguments: ["common", "organizations", "consumers"])
    func `an authority for everybody lets nobody in by itself`(name: String) throws {
        let open = try settings("\(Self.entra)/\(name)") { $0.allowsPersonalAccounts = true }
        #expect(refused(Self.tenant, open) != nil && refused(Self.personal, open) != nil)
        #expect(open.faults.contains { $0.contains("allowed-tenants") })
    }

    @Test func `tenants are named, or all allowed`() throws {
        let named = try settings("\(Self.entra)/common") { $0.allowedTenants = [Self.tenant.uppercased()] }
        #expect(refused(Self.tenant, named) == nil && named.faults.isEmpty)
        #expect(refused(Self.other, named)?.contains("none of the allowed tenants") == true)
        let any = try settings("\(Self.entra)/organizations") { $0.allowsAnyTenant = true }
        #expect(refused(Self.tenant, any) == nil && refused(Self.other, any) == nil && any.faults.isEmpty)
    }

    @Test func `personal accounts only where allowed`() throws {
        var settings = try settings("\(Self.entra)/common") { $0.allowsAnyTenant = true }
        #expect(refused(Self.personal, settings)?.contains("personal") == true)
        settings.allowsPersonalAccounts = true
        #expect(refused(Self.personal, settings) == nil)
        settings = try self.settings("\(Self.entra)/organizations") {
            $0.allowsAnyTenant = true
            $0.allowsPersonalAccounts = true
        }
        #expect(refused(Self.personal, settings)?.contains("personal") == true)
        settings = try self.settings("\(Self.entra)/common") {
            $0.allowedTenants = [Self.tenant]
            $0.allowsPersonalAccounts = true
        }
        #expect(refused(Self.personal, settings) == nil && refused(Self.other, settings) != nil)
        settings = try self.settings("\(Self.entra)/consumers") {
            $0.allowsAnyTenant = true
            $0.allowsPersonalAccounts = true
        }
        #expect(refused(Self.personal, settings) == nil && refused(Self.tenant, settings) != nil)
    }

    @Test(arguments: [
        (JSONValue?.none, String?.some(tenant), String?.none), (nil, other, "guests"), (nil, personal, "guests"),
        (nil, nil, "does not say"), (0, other, nil), (1, tenant, "guests"), ("1", tenant, "guests"), (0, nil, nil),
        (true, tenant, "guests"),
    ])
    func `guests are kept out where the settings say so`(status: JSONValue?, home: String?, refusal: String?) throws {
        func check(_ settings: ClientSettings) -> String? {
            var claims: [String: JSONValue] = ["tid": .string(Self.tenant), "oid": .string(Self.other)]
            claims["acct"] = status
            var identity = WorkerIdentity(
                issuer: "https://issuer.example", subject: "worker-1", claims: claims, authority: settings.authority)
            identity.take(home.map { ClientInfo(objectID: "object", tenant: $0) })
            #expect(identity.homeAccountID == (home.map { "object.\($0)" } ?? "\(Self.other).\(Self.tenant)"))
            do throws(IdentityError) {
                try AccountRule().check(identity, claims: claims, settings: settings)
                return nil
            } catch {
                return error.cause.sentence
            }
        }
        let open = try settings("\(Self.entra)/\(Self.tenant)")
        let strict = try settings("\(Self.entra)/\(Self.tenant)") { $0.allowsGuests = false }
        #expect(check(open) == nil && strict.faults.isEmpty)
        let found = check(strict)
        #expect(refusal.map { found?.contains($0) == true } ?? (found == nil), "\(found ?? "")")
        let elsewhere = try settings("https://id.example.com") { $0.allowsGuests = false }
        #expect(elsewhere.faults.contains { $0.contains("guests") })
    }

    @Test(arguments: ["https://c.b2clogin.com/c.example/B2C_1_in", "https://c.ciamlogin.com"])
    func `customers' tenants can be demanded as well`(authority: String) throws {
        var settings = try settings(authority)
        #expect(refused(nil, settings) == nil)
        settings.allowedTenants = [Self.tenant]
        #expect(refused(Self.tenant, settings) == nil && refused(Self.other, settings) != nil)
        // There, `hd` means nothing.
        settings.allowedTenants = ["ward.example"]
        #expect(refused(Self.tenant, settings, domain: "ward.example") != nil)
    }

    @Test func `good settings have no faults`() throws {
        let settings = try settings("https://id.example.com") {
            $0.postLogoutRedirectURI = "msauth.org.example.app://auth"
            $0.caFile = "/etc/ssl/own.pem"
            $0.proxy = "http://proxy.example:3128"
            $0.credential = .secret(Secret(text: "s"))
        }
        #expect(settings.faults.isEmpty)
    }

    static let faulty: [(String, @Sendable (inout ClientSettings) -> Void)] = [
        ("client id", { $0.clientID = "" }), ("client id", { $0.clientID = "a\nb" }),
        ("scope", { $0.scopes = ["openid", "a b"] }), ("scope", { $0.scopes = [""] }),
        ("empty", { $0.credential = .secret(Secret([])) }),
        ("post-logout", { $0.postLogoutRedirectURI = "https://id.example.com/#x" }),
        ("post-logout", { $0.postLogoutRedirectURI = "/bye" }),
        ("post-logout", { $0.postLogoutRedirectURI = "bye:" }),
        ("time-out", { $0.requestTimeout = .zero }), ("time-out", { $0.requestTimeout = .seconds(301) }),
        ("CA file", { $0.caFile = "own.pem" }), ("proxy", { $0.proxy = "proxy:3128" }),
        ("https://", { $0.authority = Authority(kind: .openID, url: "http://id.example.com") }),
        (
            "contradict",
            {
                $0.allowedTenants = ["x"]; $0.allowsAnyTenant = true
            }
        ),
        (
            "AD FS",
            {
                $0.authority = Authority(kind: .adfs, url: "https://fs.example.com/adfs"); $0.allowedTenants = ["x"]
            }
        ),
        (
            "not an id",
            {
                $0.authority = Authority(kind: .entra(.common), url: "\(entra)/common");
                $0.allowedTenants = ["a.example"]
            }
        ),
        (
            "personal",
            {
                $0.authority = Authority(kind: .entra(.consumers), url: "\(entra)/consumers")
                $0.allowsAnyTenant = true
            }
        ),
        (
            "personal",
            {
                $0.authority = Authority(kind: .entra(.tenant(tenant)), url: "\(entra)/\(tenant)")
                $0.allowsPersonalAccounts = true
            }
        ),
    ]

    @Test(arguments: faulty)
    func `each fault of the settings has a sentence`(
        word: String, change: @Sendable (inout ClientSettings) -> Void
    ) throws {
        let settings = try settings("https://id.example.com", change)
        #expect(settings.faults.count == 1 && settings.faults.first?.contains(word) == true, "\(settings.faults)")
    }
}
