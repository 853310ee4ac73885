import Testing
import Vocabulary

@testable import Identity

@Suite("Authorities")
struct AuthorityTests {
    static let tenant = VerificationBench.tenant
    static let other = "00000000-1111-2222-3333-444444444444"
    static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"

    @Test(arguments: [
        ("https://id.example.com/realms/ward", Authority.Kind.openID),
        ("https://id.example.com/realms/ward/.well-known/openid-configuration", .openID),
        ("https://login.microsoftonline.com/common", .entra(.common)),
        ("https://login.microsoftonline.com/common/v2.0/", .entra(.common)),
        ("https://login.windows.net/organizations", .entra(.organizations)),
        ("https://login.microsoft.com/consumers", .entra(.consumers)),
        ("https://login.microsoftonline.com/9188040D-6c67-4c5b-b112-36a304b66dad", .entra(.consumers)),
        ("https://login.microsoftonline.us/\(tenant)", .entra(.tenant(tenant))),
        ("https://login.partner.microsoftonline.cn/Contoso.example", .entra(.tenant("contoso.example"))),
        ("https://login.chinacloudapi.cn/\(tenant)", .entra(.tenant(tenant))),
        ("https://sts.windows.net/\(tenant)/", .entra(.tenant(tenant))),
        ("https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_in", .b2c),
        ("https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_in/v2.0", .b2c),
        ("https://login.example.com/tfp/contoso.onmicrosoft.com/B2C_1_in", .b2c),
        ("https://contoso.ciamlogin.com", .external),
        ("https://contoso.ciamlogin.com/\(tenant)", .external),
        ("https://fs.example.com/adfs", .adfs), ("https://fs.example.com/ADFS/", .adfs),
        ("https://login.microsoftonline.com.evil.example/common", .openID),
        ("https://evilb2clogin.com/a/b", .openID),
        ("http://127.0.0.1:8080/realm", .openID), ("http://[::1]:8080", .openID), ("http://localhost", .openID),
    ])
    func `the host tells the kind`(text: String, kind: Authority.Kind) throws {
        #expect(try Authority(text).kind == kind)
    }

    @Test(arguments: [
        (AuthorityType.openid, "/x", Authority.Kind.openID), (.entra, "/entra/common", .entra(.common)),
        (.entra, "/\(tenant)/v2.0", .entra(.tenant(tenant))), (.b2c, "/contoso/policy", .b2c),
        (.external, "/\(tenant)", .external), (.adfs, "/adfs", .adfs), (.adfs, "/play/adfs", .adfs),
    ])
    func `a provider behind a host of its own is told its kind`(
        type: AuthorityType, path: String, kind: Authority.Kind
    ) throws {
        #expect(try Authority("http://127.0.0.1:9000\(path)", type: type).kind == kind)
    }

    @Test(arguments: [
        "", "id.example.com", "http://id.example.com", "https://", "https://user@id.example.com",
        "ftp://id.example.com",
        "https://id.example.com/#x", "https://id.example.com/?p=B2C_1", "https://login.microsoftonline.com",
        "https://login.microsoftonline.com/a/b", "https://login.microsoftonline.com/nonsense",
        "https://contoso.b2clogin.com", "https://contoso.b2clogin.com/contoso.onmicrosoft.com",
        "https://contoso.b2clogin.com/contoso.onmicrosoft.com/v2.0", "https://contoso.b2clogin.com/common/B2C_1_in",
        "https://id.example.com/re alm",
    ])
    func `what cannot work is refused with a sentence`(text: String) {
        let cause = #expect(throws: IdentityError.self) { _ = try Authority(text) }?.cause
        #expect(cause?.isMisconfiguration == true && cause?.sentence.count ?? 0 > 30)
    }

    @Test func `an unknown kind, and AD FS without its path, are refused`() {
        #expect(AuthorityType(rawValue: "saml") == nil)
        #expect(throws: IdentityError.self) { _ = try Authority("https://fs.example.com", type: .adfs) }
    }

    @Test(arguments: [
        ("https://id.example.com/realms/ward/", "https://id.example.com/realms/ward/.well-known/openid-configuration"),
        (
            "https://login.microsoftonline.com/common",
            "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration"
        ),
        (
            "https://login.microsoftonline.com/common/v2.0",
            "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration"
        ),
        (
            "https://c.b2clogin.com/c.onmicrosoft.com/B2C_1_in",
            "https://c.b2clogin.com/c.onmicrosoft.com/B2C_1_in/v2.0/.well-known/openid-configuration"
        ),
        (
            "https://c.ciamlogin.com",
            "https://c.ciamlogin.com/c.onmicrosoft.com/v2.0/.well-known/openid-configuration"
        ),
        ("https://fs.example.com/adfs", "https://fs.example.com/adfs/.well-known/openid-configuration"),
    ])
    func `each kind has its own place for its description`(text: String, url: String) throws {
        #expect(try Authority(text).discoveryURL == url)
    }

    @Test func `aliases of a cloud are one environment`() throws {
        let authority = try Authority("https://login.windows.net/common")
        #expect(authority.environment == "login.microsoftonline.com")
        #expect(authority.knownHosts.contains("sts.windows.net"))
        #expect(!authority.knownHosts.contains("login.microsoftonline.us"))
        #expect(try Authority("https://ID.example.com/x").environment == "id.example.com")
    }

    @Test(arguments: [
        "https://id.example.com/realms/ward", "https://login.microsoftonline.com/common",
        "https://login.microsoftonline.com/consumers", "https://c.b2clogin.com/c/p", "https://c.ciamlogin.com",
        "https://fs.example.com/adfs",
    ])
    func `each of Microsoft's kinds says what it cannot do`(text: String) throws {
        let authority = try Authority(text)
        #expect(authority.limits.isEmpty == (authority.kind == .openID))
        #expect(authority.limits.allSatisfy { $0.hasSuffix(".") && $0.count > 20 })
    }

    static let entra = "https://login.microsoftonline.com"

    /// Authority, the document's issuer, whether it may say that.
    static let issuers: [(String, String, Bool)] = [
        ("https://id.example.com/a", "https://id.example.com/a", true),
        ("https://id.example.com/a/", "https://id.example.com/a/", true),
        ("https://id.example.com/a", "https://id.example.com/A", false),
        ("https://id.example.com/a", "https://id.example.com", false),
        ("https://id.example.com/a", "https://id.example.com/a/b", false),
        ("https://id.example.com/a", "http://id.example.com/a", false),
        ("https://id.example.com/a", "https://id.example.com:444/a", false),
        ("\(entra)/common", "\(entra)/{tenantid}/v2.0", true),
        ("\(entra)/common", "https://login.windows.net/{tenantid}/v2.0", true),
        ("\(entra)/common", "https://login.microsoftonline.us/{tenantid}/v2.0", false),
        ("\(entra)/common", "https://evil.example/{tenantid}/v2.0", false),
        ("\(entra)/common", "http://login.microsoftonline.com/{tenantid}/v2.0", false),
        ("\(entra)/common", "\(entra):444/{tenantid}/v2.0", false),
        ("\(entra)/common", "\(entra)/x/{tenantid}/v2.0", false),
        ("\(entra)/consumers", "\(entra)/\(personal)/v2.0", true),
        ("\(entra)/consumers", "\(entra)/\(tenant)/v2.0", false),
        ("\(entra)/organizations", "\(entra)/\(personal)/v2.0", false),
        ("\(entra)/\(tenant)", "\(entra)/\(tenant)/v2.0", true),
        ("\(entra)/\(tenant)", "https://sts.windows.net/\(tenant)/", true),
        ("\(entra)/\(tenant)", "\(entra)/{tenantid}/v2.0", true),
        ("\(entra)/\(tenant)", "\(entra)/\(other)/v2.0", false),
        ("\(entra)/contoso.example", "\(entra)/\(tenant)/v2.0", true),
        ("https://c.b2clogin.com/c.example/B2C_1_in", "https://c.b2clogin.com/\(tenant)/v2.0/", true),
        ("https://c.b2clogin.com/c.example/B2C_1_in", "https://c.b2clogin.com/tfp/\(tenant)/b2c_1_in/v2.0/", true),
        ("https://c.b2clogin.com/c.example/B2C_1_in", "https://c.b2clogin.com/tfp/\(tenant)/b2c_1_up/v2.0/", false),
        ("https://c.b2clogin.com/c.example/B2C_1_in", "https://d.b2clogin.com/\(tenant)/v2.0/", false),
        ("https://c.b2clogin.com/c.example/B2C_1_in", "https://c.b2clogin.com/{tenantid}/v2.0/", false),
        ("https://c.b2clogin.com/\(tenant)/B2C_1_in", "https://c.b2clogin.com/\(other)/v2.0/", false),
        ("https://c.ciamlogin.com", "https://\(tenant).ciamlogin.com/\(tenant)/v2.0", true),
        ("https://c.ciamlogin.com", "https://\(other).ciamlogin.com/\(tenant)/v2.0", false),
        ("https://c.ciamlogin.com", "https://c.ciamlogin.com/\(tenant)/v2.0", true),
        ("https://c.ciamlogin.com", "https://d.ciamlogin.com/\(tenant)/v2.0", false),
        ("https://c.ciamlogin.com/\(tenant)", "https://\(other).ciamlogin.com/\(other)/v2.0", false),
        ("https://fs.example.com/adfs", "https://fs.example.com/adfs", true),
        ("https://fs.example.com/adfs", "https://FS.example.com/adfs", true),
        ("https://fs.example.com/adfs", "https://other.example.com/adfs", false),
        ("https://fs.example.com/adfs", "https://fs.example.com/adfs/other", false),
    ]

    @Test(arguments: issuers)
    func `a document may name only an issuer that the authority speaks for`(
        text: String, issuer: String, isAccepted: Bool
    ) throws {
        #expect(try Authority(text).accepts(metadataIssuer: issuer) == isAccepted)
    }

    /// Authority, the document's issuer, the token's issuer, its tenant, whether they go together.
    static let tokens: [(String, String, String, String?, Bool)] = [
        ("https://id.example.com", "https://id.example.com", "https://id.example.com", nil, true),
        ("https://id.example.com", "https://id.example.com", "https://id.example.com/", nil, false),
        ("https://id.example.com", "https://id.example.com/", "https://id.example.com", nil, false),
        ("\(entra)/common", "\(entra)/{tenantid}/v2.0", "\(entra)/\(tenant)/v2.0", tenant, true),
        ("\(entra)/common", "\(entra)/{tenantid}/v2.0", "\(entra)/\(tenant)/v2.0", other, false),
        ("\(entra)/common", "\(entra)/{tenantid}/v2.0", "\(entra)/\(tenant)/v2.0", nil, false),
        ("\(entra)/common", "\(entra)/{tenantid}/v2.0", "\(entra)/{tenantid}/v2.0", "{tenantid}", false),
        ("\(entra)/common", "\(entra)/{tenantid}/v2.0", "\(entra)/x/v2.0", "x", false),
        ("\(entra)/common", "\(entra)/{tenantid}/v2.0", "https://sts.windows.net/\(tenant)/", tenant, false),
        ("\(entra)/common", "\(entra)/{tenantid}/v2.0", "\(entra)/\(personal)/v2.0", personal, true),
        ("\(entra)/organizations", "\(entra)/{tenantid}/v2.0", "\(entra)/\(personal)/v2.0", personal, false),
        ("\(entra)/consumers", "\(entra)/\(personal)/v2.0", "\(entra)/\(personal)/v2.0", personal, true),
        ("\(entra)/consumers", "\(entra)/{tenantid}/v2.0", "\(entra)/\(tenant)/v2.0", tenant, false),
        ("\(entra)/\(tenant)", "\(entra)/{tenantid}/v2.0", "\(entra)/\(other)/v2.0", other, false),
        ("\(entra)/\(tenant)", "\(entra)/\(tenant)/v2.0", "\(entra)/\(tenant)/v2.0", tenant, true),
        ("\(entra)/\(tenant)", "\(entra)/\(tenant)/v2.0", "\(entra)/\(tenant)/v2.0", other, false),
        ("\(entra)/\(tenant)", "\(entra)/\(other)/v2.0", "\(entra)/\(other)/v2.0", other, false),
    ]

    @Test(arguments: tokens)
    func `a token's issuer is the document's, with the token's own tenant`(
        text: String, issuer: String, tokenIssuer: String, tenant: String?, isAccepted: Bool
    ) throws {
        let metadata = ProviderMetadata(issuer: issuer, authorizationEndpoint: "", tokenEndpoint: "", jwksURI: "")
        let authority = try Authority(text)
        #expect(authority.accepts(tokenIssuer: tokenIssuer, tenant: tenant, metadata: metadata) == isAccepted)
    }
}
