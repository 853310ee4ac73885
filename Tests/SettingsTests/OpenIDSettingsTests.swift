import Settings
import SystemPackage
import Testing
import Vocabulary

/// The settings of a provider, or nil when they are wrong or of the other kind.
private func provider(_ text: String) throws -> OpenIDSettings? {
    if case .oidc(let settings) = try parse(text).settings.identity { settings } else { nil }
}

/// Lines below `identity`, after those that a provider needs.
private func openID(_ lines: String, authority: String = "https://id.example.org") -> String {
    "identity:\n  kind: oidc\n  authority: \(authority)\n  client-id: device\n\(lines)"
}

@Suite struct OpenIDSettingsTests {
    @Test func `authority and client id are enough`() throws {
        let settings = try #require(try provider(openID("")))
        #expect(settings == OpenIDSettings(authority: "https://id.example.org", clientID: "device"))
        #expect(settings.scopes == ["openid", "profile", "offline_access"])
        #expect(settings.offline == .seconds(8 * 3600) && settings.requestTimeout == .seconds(10))
        #expect(settings.signOutWait == .seconds(2) && settings.loopbackPort == 0 && settings.withoutFreshLogin == .ask)
        #expect(settings.postLogoutRedirectURI == nil && settings.credential == .none)
        #expect(!settings.allowsAnyTenant && !settings.allowsPersonalAccounts && settings.allowedTenants.isEmpty)
        #expect(try parse(openID("")).settings.accounts.isEmpty)
    }

    @Test func `every key of a provider is read`() throws {
        let settings = try #require(
            try provider(
                openID(
                    """
                      authority-type: adfs
                      scopes: [email, email, profile]
                      allowed-tenants: [contoso.com, 72f988bf-86f1-41af-91ab-2d7cd011db47, contoso.com]
                      allow-personal-accounts: true
                      allow-guests: false
                      loopback-port: 7777
                      offline: off
                      request-timeout: 1s
                      sign-out-wait: 0s
                      without-fresh-login: refuse
                      ca-file: /etc/baton/ca.pem
                      proxy: http://[::1]:3128
                      client-secret-file: /etc/baton/secret
                    """)))
        #expect(settings.authorityType == .adfs)
        #expect(settings.scopes == ["openid", "email", "profile"])
        #expect(settings.allowedTenants == ["contoso.com", "72f988bf-86f1-41af-91ab-2d7cd011db47"])
        #expect(settings.allowsPersonalAccounts && !settings.allowsAnyTenant && !settings.allowsGuests)
        #expect(settings.loopbackPort == 7777)
        #expect(settings.postLogoutRedirectURI == "http://127.0.0.1:7777/signed-out")
        #expect(settings.offline == nil && settings.requestTimeout == .seconds(1) && settings.signOutWait == .zero)
        #expect(settings.withoutFreshLogin == .refuse)
        #expect(settings.caFile == "/etc/baton/ca.pem" && settings.proxy == "http://[::1]:3128")
        #expect(settings.credential == .secret(CredentialFile(path: "/etc/baton/secret", keeper: .owner)))
    }

    @Test func `a post-logout redirect URI that is given goes before the one of the port`() throws {
        let settings = try provider(openID("  loopback-port: 1\n  post-logout-redirect-uri: https://a.example/bye\n"))
        #expect(settings?.postLogoutRedirectURI == "https://a.example/bye")
    }

    @Test func `the environment can name the provider`() throws {
        let layer = SettingsLayer.environment([
            "BATON_IDENTITY_KIND": "oidc", "BATON_IDENTITY_AUTHORITY": "http://127.0.0.1:8080/op",
            "BATON_IDENTITY_CLIENT_ID": "device", "BATON_IDENTITY_SCOPES": "openid,email",
        ])
        let parsed = try parse("", layers: [layer])
        var expected = OpenIDSettings(authority: "http://127.0.0.1:8080/op", clientID: "device")
        expected.scopes = ["openid", "email"]
        #expect(parsed.settings.identity == .oidc(expected) && parsed.warnings.isEmpty)
    }

    @Test(arguments: [
        "https://id.example.org", "https://id.example.org:8443/realms/ward", "http://localhost:1", "http://[::1]/op",
        "HTTPS://ID.example.org/", "https://login.microsoftonline.com/contoso.com/v2.0",
        "https://contoso.b2clogin.com/contoso.com/common", "https://id.example.org/common",
    ]) func `an authority over a connection that others cannot change is taken`(authority: String) throws {
        #expect(try provider(openID("", authority: authority))?.authority == authority)
    }

    static let multiTenant = ["common", "organizations", "consumers", "COMMON/v2.0"].flatMap {
        ["https://login.microsoftonline.com/\($0)", "https://login.microsoftonline.us/\($0)"]
    }

    @Test(arguments: multiTenant)
    func `an authority of any tenant needs to be told whose accounts may come`(authority: String) throws {
        let personal = "  allow-personal-accounts: true\n"
        let refused = faults(openID(personal, authority: authority))
        #expect(refused.count == 1)
        #expect(refused.first?.hasPrefix("\(file):3: identity.authority: '") == true)
        #expect(refused.first?.contains("takes accounts of any tenant") == true)
        #expect(try provider(openID(personal + "  allow-any-tenant: true\n", authority: authority)) != nil)
        #expect(try provider(openID(personal + "  allowed-tenants: [contoso.com]\n", authority: authority)) != nil)
    }

    @Test func `a host of one's own is judged as Entra where the settings say so`() {
        let found = faults(openID("  authority-type: entra\n", authority: "https://id.example.org/organizations"))
        #expect(found.count == 1)
        #expect(found.first?.contains("'organizations' takes accounts of any tenant") == true)
    }

    @Test func `consumers needs leave for personal accounts`() {
        let found = faults(
            openID("  allow-any-tenant: true\n", authority: "https://login.microsoftonline.com/consumers"))
        #expect(
            found == [
                "\(file):3: identity.authority: 'consumers' has personal accounts only: that needs "
                    + "allow-personal-accounts: true"
            ])
    }

    @Test func `a sign-out never waits longer for the provider than the barrier lasts`() throws {
        let found = faults(
            "barrier: {soft: 1s, hard: 3s, containment: 1s, absolute: 4s}\n" + openID("  sign-out-wait: 4s\n"))
        #expect(
            found == [
                "\(file):6: identity.sign-out-wait: sign-out-wait (4s) must be shorter than barrier.absolute (4s)"
            ])
        let byDefault = faults(
            "barrier: {soft: 1ms, hard: 1s, containment: 1s, absolute: 2s}\n" + openID(""))
        #expect(
            byDefault == [
                "\(file):1: barrier.absolute: sign-out-wait (2s) must be shorter than barrier.absolute (2s)"
            ])
    }

    static let wrong = [
        Wrong(
            "identity: {kind: oidc}\n", "1: identity.authority: is missing", "1: identity.client-id: is missing"),
        Wrong(
            "identity:\n  kind: oidc\n  authority: ~\n  client-id: a\n", "3: identity.authority: has no value"),
        Wrong(
            "identity:\n  authority: https://a.example\n  scopes: [x]\n",
            "2: identity.authority: belongs to kind: oidc, but the kind is local",
            "3: identity.scopes: belongs to kind: oidc, but the kind is local"),
        Wrong(openID("  accounts: []\n"), "5: identity.accounts: belongs to kind: local, but the kind is oidc"),
        Wrong(
            openID("", authority: "http://id.example.org"),
            "3: identity.authority: 'http://id.example.org' must begin with https://; http is for 127.0.0.1, [::1] "
                + "and localhost only"),
        Wrong(
            openID("", authority: "id.example.org"),
            "3: identity.authority: 'id.example.org' is not the address of a provider, such as "
                + "https://login.example.org"),
        Wrong(
            openID("", authority: "https://a.example/?x=y"),
            "3: identity.authority: 'https://a.example/?x=y' must have no query and no fragment"),
        Wrong(
            openID("", authority: "https://me:hush@a.example"),
            "3: identity.authority: must not contain a user name or a password"),
        Wrong(
            openID("  authority-type: okta\n"),
            "5: identity.authority-type: 'okta' is not openid or entra or b2c or external or adfs"),
        Wrong(openID("  scopes: [a b]\n"), "5: identity.scopes: 'a b' is not a scope"),
        Wrong(openID("  allowed-tenants: ['*']\n"), "5: identity.allowed-tenants: '*' is not a tenant's id or domain"),
        Wrong(
            openID("  allowed-tenants: [a]\n  allow-any-tenant: true\n"),
            "6: identity.allow-any-tenant: either the tenants are named or any is allowed, not both"),
        Wrong(
            openID("  loopback-port: 65536\n"),
            "5: identity.loopback-port: '65536' is not a whole number from 0 to 65535"),
        Wrong(
            openID("  post-logout-redirect-uri: http://a.example/\n"),
            "5: identity.post-logout-redirect-uri: 'http://a.example/' has http, which is for 127.0.0.1, [::1] and "
                + "localhost only; elsewhere it must be https"),
        Wrong(
            openID("  offline: never\n"),
            "5: identity.offline: 'never' is not off or a duration, such as 1500ms, 5s, 15min, 1h or 90d"),
        Wrong(
            openID("  request-timeout: 999ms\n"),
            "5: identity.request-timeout: '999ms' is not a duration from 1s to 1min, such as 1500ms or 5s"),
        Wrong(
            openID("  sign-out-wait: 10001ms\n"),
            "5: identity.sign-out-wait: '10001ms' is not a duration from 0s to 10s, such as 1500ms or 5s"),
        Wrong(openID("  proxy: proxy:80\n"), "5: identity.proxy: 'proxy:80' is not http://host:port"),
        Wrong(openID("  proxy: https://a:80\n"), "5: identity.proxy: 'https://a:80' is not http://host:port"),
        Wrong(
            openID("  proxy: http://me:hush@a:80\n"),
            "5: identity.proxy: a proxy that wants a user name and a password is not supported"),
        Wrong(openID("  ca-file: ca.pem\n"), "5: identity.ca-file: must be the absolute path of a file"),
        // Whoever writes the secret itself there must not find it in a log.
        Wrong(
            openID("  client-secret-file: hush\n"),
            "5: identity.client-secret-file: must be the absolute path of a file"),
        Wrong(
            openID("  client-secret-file: /a\n  client-certificate-file: /b\n"),
            "5: identity.client-secret-file: the client proves itself in one way only, but there are "
                + "client-secret-file and client-certificate-file"),
        Wrong(
            openID("  client-secret: hush\n"),
            "5: identity.client-secret: unknown key; a secret is not taken from here: put it into a file with mode "
                + "0600 and name that in identity.client-secret-file or client-certificate-file"),
    ]

    @Test(arguments: wrong) func `every fault of a provider's settings names file, line and key`(wrong: Wrong) {
        #expect(faults(wrong.text) == wrong.faults)
    }

    @Test func `a secret in the environment is a fault that does not show it`() {
        let found = faults(openID(""), layers: [.environment(["BATON_IDENTITY_CLIENT_SECRET": "hush"])])
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("environment BATON_IDENTITY_CLIENT_SECRET: a secret is not taken from") == true)
        #expect(found.first?.contains("hush") == false)
    }
}
