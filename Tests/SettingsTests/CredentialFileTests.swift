import FolderTesting
import Glibc
import Secrets
import Settings
import SystemPackage
import Testing

private let pem = """
    -----BEGIN PRIVATE KEY-----
    AAAA
    -----END PRIVATE KEY-----
    -----BEGIN CERTIFICATE-----
    AAAA
    -----END CERTIFICATE-----

    """

/// Settings of a provider in a folder of their own, beside the files that they name.
private struct Provider {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("settings") }

    var secret: FilePath { folder.filePath("secret") }

    func load(_ lines: String, environment: [String: String] = [:]) async throws -> (OpenIDSettings?, [String]) {
        let path = try folder.file(
            "identity:\n  kind: oidc\n  authority: https://id.example.org\n  client-id: device\n\(lines)")
        do throws(SettingsFaults) {
            let parsed = try await Settings.load(path, required: true, scope: .system, environment: environment)
            guard case .oidc(let settings) = parsed.settings.identity else { return (nil, []) }
            return (settings, [])
        } catch {
            return (nil, error.all.map(\.description))
        }
    }

    /// The message of the one fault, which stands in line 5.
    func fault(_ line: String) async throws -> String {
        let (_, faults) = try await load("  \(line)\n")
        #expect(faults.count == 1)
        let text = faults.first ?? ""
        let place = "\(folder.path)/baton.yaml:5: identity.\(line.prefix { $0 != ":" }): "
        #expect(text.hasPrefix(place))
        return String(text.dropFirst(place.count))
    }
}

@Suite(.timeLimit(.minutes(1))) struct CredentialFileTests {
    @Test(arguments: [0o600, 0o400] as [mode_t])
    func `a secret that only its owner can read is taken, without its line end`(mode: mode_t) async throws {
        let provider = try Provider()
        try provider.folder.file("hush\n", as: "secret", mode: mode)
        let (settings, faults) = try await provider.load("  client-secret-file: \(provider.secret)\n")
        #expect(faults.isEmpty)
        let file = CredentialFile(path: provider.secret, keeper: .owner)
        #expect(settings?.credential == .secret(file))
        #expect(try file.read() == Secret(text: "hush"))
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o601, 0o700, 0o4600] as [mode_t])
    func `a secret that more can read or write is refused, and the message says what to do`(mode: mode_t) async throws {
        let provider = try Provider()
        try provider.folder.file("hush", as: "secret", mode: mode)
        #expect(
            try await provider.fault("client-secret-file: \(provider.secret)")
                == "\(provider.secret) has mode \(String(mode, radix: 8)), which gives others access; "
                + "chmod 0600 \(provider.secret)")
        // The mode may have changed since the settings were read.
        #expect(throws: SettingsFault.self) {
            try CredentialFile(path: provider.secret, keeper: .owner).read()
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func `a secret of somebody else is refused`() async throws {
        let provider = try Provider()
        try provider.folder.file("hush", as: "secret", mode: 0o600)
        try #require(chown(provider.secret.string, 12345, 12345) == 0)
        #expect(
            try await provider.fault("client-secret-file: \(provider.secret)")
                == "\(provider.secret) belongs to user 12345, who could change it; give it to the daemon's user: "
                + "chown baton \(provider.secret)")
    }

    @Test func `what is no file of its own is refused`() async throws {
        let provider = try Provider()
        let (folder, secret) = (provider.folder, provider.secret)
        #expect(try await provider.fault("client-secret-file: \(secret)") == "\(secret) does not exist")
        #expect(try await provider.fault("client-secret-file: \(folder.path)") == "\(folder.path) is not a file")
        try folder.file("", as: "secret", mode: 0o600)
        #expect(try await provider.fault("client-secret-file: \(secret)") == "\(secret) is empty")
        try folder.file(String(repeating: "a", count: (1 << 20) + 1), as: "secret", mode: 0o600)
        #expect(try await provider.fault("client-secret-file: \(secret)") == "\(secret) is larger than 1 MiB")
        let link = folder.filePath("link")
        try #require(symlink(secret.string, link.string) == 0)
        defer { unlink(link.string) }
        #expect(
            try await provider.fault("client-secret-file: \(link)")
                == "\(link) is a symbolic link; name the file that it leads to")
        let pipe = folder.filePath("pipe")
        try #require(mkfifo(pipe.string, 0o600) == 0)
        defer { unlink(pipe.string) }
        #expect(try await provider.fault("client-secret-file: \(pipe)") == "\(pipe) is not a file")
    }

    @Test func `a certificate comes with its key`() async throws {
        let provider = try Provider()
        let secret = provider.secret
        try provider.folder.file("hush", as: "secret", mode: 0o600)
        #expect(
            try await provider.fault("client-certificate-file: \(secret)")
                == "\(secret) has no certificate: it must be a PEM file with -----BEGIN CERTIFICATE-----")
        try provider.folder.file("-----BEGIN CERTIFICATE-----", as: "secret", mode: 0o600)
        #expect(
            try await provider.fault("client-certificate-file: \(secret)")
                == "\(secret) has no private key: it must be a PEM file with the key and its certificate")
        try provider.folder.file(pem, as: "secret", mode: 0o600)
        let (settings, faults) = try await provider.load("  client-certificate-file: \(secret)\n")
        #expect(faults.isEmpty)
        #expect(settings?.credential == .certificate(CredentialFile(path: secret, keeper: .owner)))
    }

    @Test func `a CA file must be there and hold a certificate, and everybody may read it`() async throws {
        let provider = try Provider()
        let path = provider.folder.filePath("ca.pem")
        #expect(try await provider.fault("ca-file: \(path)") == "\(path) does not exist")
        try provider.folder.file("hush", as: "ca.pem", mode: 0o644)
        #expect(
            try await provider.fault("ca-file: \(path)")
                == "\(path) has no certificate: it must be a PEM file with -----BEGIN CERTIFICATE-----")
        try provider.folder.file(pem, as: "ca.pem", mode: 0o644)
        #expect(try await provider.load("  ca-file: \(path)\n").0?.caFile == path)
    }

    @Test func `systemd's credentials need no key in the file`() async throws {
        let provider = try Provider()
        let environment = ["CREDENTIALS_DIRECTORY": provider.folder.path(of: "credentials")]
        let path = try provider.folder.file("hush", as: "credentials/baton-client-secret", mode: 0o440)
        let (settings, faults) = try await provider.load("", environment: environment)
        #expect(faults.isEmpty)
        let file = CredentialFile(path: path, keeper: .systemd)
        #expect(settings?.credential == .secret(file))
        #expect(try file.read() == Secret(text: "hush"))

        let certificate = try provider.folder.file(pem, as: "credentials/baton-client-certificate", mode: 0o440)
        let two = try await provider.load("", environment: environment).1
        #expect(
            two == [
                "\(provider.folder.path)/baton.yaml:2: identity.kind: the client proves itself in one way only, but "
                    + "there are systemd's credential baton-client-secret and systemd's credential "
                    + "baton-client-certificate"
            ])
        try #require(unlink(path.string) == 0)
        #expect(
            try await provider.load("", environment: environment).0?.credential
                == .certificate(CredentialFile(path: certificate, keeper: .systemd)))
    }

    @Test func `a file and a credential of systemd for the same thing are a fault`() async throws {
        let provider = try Provider()
        let environment = ["CREDENTIALS_DIRECTORY": provider.folder.path(of: "credentials")]
        try provider.folder.file("hush", as: "credentials/baton-client-secret", mode: 0o440)
        try provider.folder.file("hush", as: "secret", mode: 0o600)
        let faults = try await provider.load(
            "  client-secret-file: \(provider.secret)\n", environment: environment
        ).1
        #expect(
            faults == [
                "\(provider.folder.path)/baton.yaml:5: identity.client-secret-file: the client proves itself in one "
                    + "way only, but there are client-secret-file and systemd's credential baton-client-secret"
            ])
    }

    @Test func `a broken credential of systemd is a fault`() async throws {
        let provider = try Provider()
        let environment = ["CREDENTIALS_DIRECTORY": provider.folder.path(of: "credentials")]
        let path = try provider.folder.file("hush", as: "credentials/baton-client-certificate", mode: 0o440)
        #expect(
            try await provider.load("", environment: environment).1 == [
                "\(provider.folder.path)/baton.yaml:2: identity.kind: baton-client-certificate \(path) has no "
                    + "certificate: it must be a PEM file with -----BEGIN CERTIFICATE-----"
            ])
    }
}
