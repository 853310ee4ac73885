import Glibc
import Secrets
import SystemPackage

/// Judges the files that the settings name but do not hold: CAs, and what proves who the client is.
struct ReferencedFiles {
    static let secretCredential = "baton-client-secret"
    static let certificateCredential = "baton-client-certificate"

    struct Refusal {
        /// To stand behind the key.
        let message: String
        /// As `SettingsFault` has it.
        let unreadableFile: String?
    }

    /// systemd's credential directory.
    let credentials: FilePath?
    /// Who may own a secret.
    let owners: Set<UInt32>

    init(credentials: FilePath?, scope: Settings.Scope) {
        self.credentials = credentials
        owners = Self.owners(scope: scope)
    }

    /// Root and the daemon's user; an administrator who checks the settings as root may find the files of either.
    static func owners(scope: Settings.Scope) -> Set<UInt32> {
        let service = scope == .system && geteuid() == 0 ? SystemAccounts.user("baton") : nil
        return [0, geteuid(), service ?? 0]
    }

    /// Why it cannot be used; nil when it can.
    func refusal(ofCA path: FilePath) -> Refusal? {
        refusal(path) { () throws(ReferencedFile.Fault) in
            let file = try ReferencedFile(path, followsLinks: true)
            guard try file.read().contains("-----BEGIN CERTIFICATE-----") else { throw .noCertificate }
        }
    }

    func refusal(ofSecret path: FilePath) -> Refusal? {
        refusal(path) { () throws(ReferencedFile.Fault) in
            _ = try ReferencedFile(path, followsLinks: false).secret(owners: owners)
        }
    }

    func refusal(ofCertificate path: FilePath) -> Refusal? {
        refusal(path) { () throws(ReferencedFile.Fault) in
            try Self.judgeCertificate(try ReferencedFile(path, followsLinks: false).secret(owners: owners))
        }
    }

    /// systemd itself keeps others from its credentials, with owners and modes of its own.
    func refusal(ofSystemd path: FilePath, isCertificate: Bool = false) -> Refusal? {
        refusal(path) { () throws(ReferencedFile.Fault) in
            let secret = try ReferencedFile(path, followsLinks: false).secret(owners: nil)
            if isCertificate { try Self.judgeCertificate(secret) }
        }
    }

    /// The path of a credential that systemd has handed over; nil when there is none of this name.
    func systemdCredential(_ name: String) -> FilePath? {
        guard let path = credentials?.appending(name) else { return nil }
        var status = stat()
        return path.withPlatformString { lstat($0, &status) } == 0 ? path : nil
    }

    private static func judgeCertificate(_ secret: Secret) throws(ReferencedFile.Fault) {
        guard secret.contains("-----BEGIN CERTIFICATE-----") else { throw .noCertificate }
        guard secret.contains("PRIVATE KEY-----") else { throw .noKey }
    }

    private func refusal(_ path: FilePath, _ judge: () throws(ReferencedFile.Fault) -> Void) -> Refusal? {
        do throws(ReferencedFile.Fault) {
            try judge()
            return nil
        } catch {
            return Refusal(
                message: "\(SettingsText.printable(path.string)) \(error.text(path))",
                unreadableFile: error.isForbidden ? path.string : nil)
        }
    }
}
