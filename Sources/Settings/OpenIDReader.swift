import BatonContract
import SystemPackage
import Vocabulary
import WebText

/// Reads `identity` of the kind `oidc`.
enum OpenIDReader {
    /// Every key that `read` knows.
    static let keys = {
        var reader = SettingsReader(text: "", file: "", layers: [])
        _ = read(from: &reader, files: nil)
        return reader.known.sorted { $0.name < $1.name }
    }()

    /// - Parameter files: Nil: nothing on the disk is looked at.
    static func read(from reader: inout SettingsReader, files: ReferencedFiles?) -> OpenIDSettings {
        var settings = OpenIDSettings(
            authority: readAuthority(from: &reader) ?? "",
            clientID: reader.optional(.identityClientID, expected: "a client id, without spaces", token) ?? "")
        for key in [SettingsKey.identityAuthority, .identityClientID]
        where !reader.isSet(key) && reader.node(key) == nil {
            reader.refuseMissing(key, in: .identity)
        }
        settings.authorityType = reader.optional(
            .identityAuthorityType,
            expected: AuthorityType.allCases.map(\.rawValue).joined(separator: " or "),
            AuthorityType.init(rawValue:))
        let scopes = reader.list(.identityScopes, default: settings.scopes, expected: "a scope", token)
        if reader.isSet(.identityScopes) {
            settings.scopes = unique(scopes.contains("openid") ? scopes : ["openid"] + scopes)
        }
        readTenants(into: &settings, from: &reader)
        readLoopback(into: &settings, from: &reader)
        readTimes(into: &settings, from: &reader)
        settings.withoutFreshLogin = reader.word(.identityWithoutFreshLogin, default: settings.withoutFreshLogin)
        settings.proxy = readProxy(from: &reader)
        settings.caFile = readPath(.identityCAFile, from: &reader) { files?.refusal(ofCA: $0) }
        settings.credential = readCredential(from: &reader, files: files)
        return settings
    }

    private static func readAuthority(from reader: inout SettingsReader) -> String? {
        let key = SettingsKey.identityAuthority
        guard let text = reader.optional(key, expected: "text", { $0 }) else { return nil }
        guard let refusal = AuthorityAddress.refusal(text) else { return text }
        // What is before an @ may be a password.
        reader.refuse(key, text.contains("@") ? refusal : "'\(SettingsText.printable(text))' \(refusal)")
        return nil
    }

    private static func readTenants(into settings: inout OpenIDSettings, from reader: inout SettingsReader) {
        let (tenants, any) = (SettingsKey.identityAllowedTenants, SettingsKey.identityAllowAnyTenant)
        let personal = SettingsKey.identityAllowPersonalAccounts
        settings.allowedTenants = unique(
            reader.list(tenants, default: settings.allowedTenants, expected: "a tenant's id or domain", tenant))
        settings.allowsAnyTenant = reader.flag(any, default: settings.allowsAnyTenant)
        settings.allowsPersonalAccounts = reader.flag(personal, default: settings.allowsPersonalAccounts)
        settings.allowsGuests = reader.flag(.identityAllowGuests, default: settings.allowsGuests)
        if settings.allowsAnyTenant, !settings.allowedTenants.isEmpty {
            reader.refuse(anyOf: [any, tenants], "either the tenants are named or any is allowed, not both")
        }
        guard let audience = AuthorityAddress.audience(settings.authority, type: settings.authorityType) else { return }
        if settings.allowedTenants.isEmpty, !settings.allowsAnyTenant {
            reader.refuse(
                anyOf: [.identityAuthority, tenants, any],
                "'\(audience)' takes accounts of any tenant: name yours in \(tenants.leaf), or write "
                    + "\(any.leaf): true")
        }
        if audience == "consumers", !settings.allowsPersonalAccounts {
            reader.refuse(
                anyOf: [.identityAuthority, personal],
                "'consumers' has personal accounts only: that needs \(personal.leaf): true")
        }
    }

    private static func readLoopback(into settings: inout OpenIDSettings, from reader: inout SettingsReader) {
        settings.loopbackPort = UInt16(
            clamping: reader.count(.identityLoopbackPort, default: Int(settings.loopbackPort), in: 0...Int(UInt16.max)))
        let key = SettingsKey.identityPostLogoutRedirectURI
        if let text = reader.optional(key, expected: "text", { $0 }) {
            do throws(RedirectURI.Fault) {
                try RedirectURI.check(text)
                settings.postLogoutRedirectURI = text
            } catch {
                reader.refuse(key, error.message(for: text))
            }
        } else if settings.loopbackPort > 0 {
            settings.postLogoutRedirectURI = "http://127.0.0.1:\(settings.loopbackPort)/signed-out"
        }
    }

    private static func readTimes(into settings: inout OpenIDSettings, from reader: inout SettingsReader) {
        settings.offline = reader.value(
            .identityOffline, default: settings.offline, expected: "off or \(SettingsText.durationExample)"
        ) { text in
            text == "off" ? .some(nil) : SettingsText.duration(text).map { .some($0) }
        }
        settings.requestTimeout = reader.duration(
            .identityRequestTimeout, default: settings.requestTimeout, in: .seconds(1)...Duration.seconds(60))
        settings.signOutWait = reader.duration(
            .identitySignOutWait, default: settings.signOutWait, in: .zero...Duration.seconds(10))
    }

    private static func readProxy(from reader: inout SettingsReader) -> String? {
        let key = SettingsKey.identityProxy
        guard let text = reader.optional(key, expected: "text", { $0 }) else { return nil }
        if text.contains("@") {
            reader.refuse(key, "a proxy that wants a user name and a password is not supported")
        } else if let proxy = WebAddress(text), proxy.scheme == "http", proxy.port != nil, proxy.isBare {
            return text
        } else {
            reader.refuse(key, "'\(SettingsText.printable(text))' is not http://host:port")
        }
        return nil
    }

    private static func readCredential(
        from reader: inout SettingsReader, files: ReferencedFiles?
    ) -> OpenIDSettings.CredentialSource {
        let (secretKey, certificateKey) = (
            SettingsKey.identityClientSecretFile, SettingsKey.identityClientCertificateFile
        )
        let secretFile = readPath(secretKey, from: &reader) { files?.refusal(ofSecret: $0) }
        let certificateFile = readPath(certificateKey, from: &reader) { files?.refusal(ofCertificate: $0) }
        let given = files?.systemdCredential(ReferencedFiles.secretCredential)
        let givenCertificate = files?.systemdCredential(ReferencedFiles.certificateCredential)
        let sources =
            [secretKey, certificateKey].filter { reader.isSet($0) }.map(\.leaf)
            + [
                given.map { _ in "systemd's credential \(ReferencedFiles.secretCredential)" },
                givenCertificate.map { _ in "systemd's credential \(ReferencedFiles.certificateCredential)" },
            ].compactMap(\.self)
        if sources.count > 1 {
            reader.refuse(
                anyOf: [secretKey, certificateKey, .identityKind],
                "the client proves itself in one way only, but there are \(sources.joined(separator: " and "))")
        }
        if let given, let refusal = files?.refusal(ofSystemd: given) {
            reader.refuse(
                .identityKind, "\(ReferencedFiles.secretCredential) \(refusal.message)",
                unreadableFile: refusal.unreadableFile)
        }
        if let givenCertificate, let refusal = files?.refusal(ofSystemd: givenCertificate, isCertificate: true) {
            reader.refuse(
                .identityKind, "\(ReferencedFiles.certificateCredential) \(refusal.message)",
                unreadableFile: refusal.unreadableFile)
        }
        if let path = secretFile { return .secret(CredentialFile(path: path, keeper: .owner)) }
        if let path = certificateFile { return .certificate(CredentialFile(path: path, keeper: .owner)) }
        if let given { return .secret(CredentialFile(path: given, keeper: .systemd)) }
        if let path = givenCertificate { return .certificate(CredentialFile(path: path, keeper: .systemd)) }
        return .none
    }

    /// A path that was given; the text is never shown, since an administrator may have written the secret itself there.
    private static func readPath(
        _ key: SettingsKey, from reader: inout SettingsReader, refusal: (FilePath) -> ReferencedFiles.Refusal?
    ) -> FilePath? {
        guard let text = reader.optional(key, expected: "text", { $0 }) else { return nil }
        let isPath =
            text.hasPrefix("/") && text.utf8.count <= 4095
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
        guard isPath else {
            reader.refuse(key, "must be the absolute path of a file")
            return nil
        }
        let path = FilePath(text)
        if let refusal = refusal(path) {
            reader.refuse(key, refusal.message, unreadableFile: refusal.unreadableFile)
            return nil
        }
        return path
    }

    /// Printable ASCII without spaces, as client ids and scopes are.
    private static func token(_ text: String) -> String? {
        (1...512).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) } ? text : nil
    }

    private static func tenant(_ text: String) -> String? {
        (1...253).contains(text.utf8.count) && text.utf8.allSatisfy(WebHost.isNameByte) ? text : nil
    }

    private static func unique(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }
}
