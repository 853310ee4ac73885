import Settings
import SystemPackage
import Testing
import Vocabulary

@Suite struct SettingsExampleTests {
    /// The example with every default's # taken away; lines with ## explain, those with #+ go with `kind: oidc`.
    static func uncommented(isOpenID: Bool = false) -> String {
        Settings.example.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasPrefix("#+") { return isOpenID ? String(line.dropFirst(2)) : String(line) }
            if line == "#  kind: local", isOpenID { return "  kind: oidc" }
            if line == "#  least-pin-length: 4", isOpenID { return "" }
            return line.hasPrefix("#") && !line.hasPrefix("##") ? String(line.dropFirst()) : String(line)
        }.joined(separator: "\n")
    }

    @Test func `the example as it is shipped means the defaults`() throws {
        let parsed = try parse(Settings.example)
        #expect(parsed.settings == Settings(defaultsFor: .system))
        #expect(parsed.warnings.isEmpty)
    }

    @Test func `the defaults that the example shows are the defaults`() throws {
        let parsed = try parse(Self.uncommented())
        #expect(parsed.settings == Settings(defaultsFor: .system))
        #expect(parsed.warnings.isEmpty)
    }

    @Test func `what the example shows of a provider can be written, and its defaults are the defaults`() throws {
        let text = Self.uncommented(isOpenID: true).split(separator: "\n")
        var provider = OpenIDSettings(authority: "https://login.example.org", clientID: "baton-device")
        func settings(without left: String) throws -> Settings.Identity {
            try parse(text.filter { !$0.hasPrefix("  \(left):") }.joined(separator: "\n")).settings.identity
        }
        provider.authorityType = .openid
        // Written down they are asked for, offered or not.
        provider.scopes = ["openid", "profile", "offline_access"]
        provider.postLogoutRedirectURI = "http://127.0.0.1:7777/signed-out"
        provider.caFile = "/etc/baton/ca.pem"
        provider.proxy = "http://proxy.example.org:3128"
        provider.credential = .secret(CredentialFile(path: "/etc/baton/client-secret", keeper: .owner))
        #expect(try settings(without: "client-certificate-file") == .oidc(provider))
        provider.credential = .certificate(
            CredentialFile(path: "/etc/baton/client-certificate.pem", keeper: .owner))
        #expect(try settings(without: "client-secret-file") == .oidc(provider))
    }

    /// The list of an earlier version is explained, but no one should write it.
    @Test(arguments: Settings.keys.filter { $0 != "identity.accounts" })
    func `the example shows and explains every key`(key: String) throws {
        // A value that no key takes: where the key is shown, it is a fault of its line.
        var indentation = 0
        var shown: Int?
        let isLocal = ["identity.kind", "identity.least-pin-length"].contains(key)
        let isOpenID = key.hasPrefix("identity.") && !isLocal
        let lines = Self.uncommented(isOpenID: isOpenID).split(separator: "\n", omittingEmptySubsequences: false)
        let parts = key.split(separator: ".")
        for (index, line) in lines.enumerated() where !line.hasPrefix("#") {
            if indentation < parts.count,
                line.hasPrefix(String(repeating: "  ", count: indentation) + parts[indentation] + ":")
            {
                indentation += 1
                if indentation == parts.count {
                    shown = index
                    break
                }
            }
        }
        let place = try #require(shown, "\(key) is not shown")
        let above = lines[..<place].reversed().prefix { !$0.isEmpty && !$0.allSatisfy { $0 == " " } }
        #expect(above.contains { $0.hasPrefix("##") }, "\(key) is not explained")
    }
}
