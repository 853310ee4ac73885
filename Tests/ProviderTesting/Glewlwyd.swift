import BusTesting
public import FolderTesting
import Glibc
import TerminalTesting

/// A real Glewlwyd (Debian's package) on loopback, on a database and settings of its own in a temporary folder.
///
/// It is killed by its process id when `stop()` is called or this goes.
public final class Glewlwyd: Sendable {
    /// A public client, as a device is.
    public static let publicClient = "baton-device"
    /// A client with a secret, which may revoke tokens.
    public static let confidentialClient = "baton-confidential"
    /// Without characters that need encoding: Glewlwyd does not decode them (RFC 6749, section 2.3.1).
    public static let clientSecret = "a-secret-of-this-test-only"
    public static let ana = ProviderAccount(username: "ana", password: "ana's password", name: "Ana Horvat")
    public static let ben = ProviderAccount(username: "ben", password: "ben's password", name: "Ben Larsen")
    public static let redirectURI = "http://127.0.0.1:7777/answer"
    public static let postLogoutRedirectURI = "http://127.0.0.1:7777/signed-out"

    static let plugin = "op"
    static let sessionCookie = "OPENID_SESSION"
    static let scopes = ["openid", "profile", "email", "offline_access"]

    /// `http://127.0.0.1:port`, or `https://localhost:port`.
    public let origin: String
    /// Nil: it speaks http.
    public let certificateAuthority: TestCertificateAuthority?
    /// Everything it needs and leaves lies here.
    public let folder: TemporaryFolder
    let administrator: WebClient
    private let program: Program

    public var issuer: String { "\(origin)/api/\(Self.plugin)" }
    public var processID: Int32 { program.pid }

    private init(
        port: UInt16, certificateAuthority: TestCertificateAuthority?, folder: TemporaryFolder
    ) async throws {
        self.folder = folder
        self.certificateAuthority = certificateAuthority
        origin = certificateAuthority == nil ? "http://127.0.0.1:\(port)" : "https://localhost:\(port)"
        administrator = WebClient(caFile: certificateAuthority?.caFile)
        let settings = GlewlwydSettings(
            port: port, origin: origin, folder: folder.path, certificateAuthority: certificateAuthority)
        program = try Program(["glewlwyd", "--config-file=\(try folder.write(settings.text, to: "glewlwyd.conf"))"])
        try await program.line(containing: "Glewlwyd started on port")
        try await untilItListens()
    }

    /// It says that it has started a moment before it listens, and says nothing when it does.
    private func untilItListens() async throws {
        for _ in 0..<500 {
            if (try? await administrator.get(origin)) != nil { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw TestingError("Glewlwyd does not listen: \(log.suffix(600))")
    }

    /// Starts one over http, or over https with a certificate of the CA, with its clients and accounts.
    public static func start(certificateAuthority: TestCertificateAuthority? = nil) async throws -> Glewlwyd {
        var attempts = 0
        while true {
            attempts += 1
            // One that was given up half prepared is of no use to the next.
            let folder = try TemporaryFolder("glewlwyd")
            try await GlewlwydSettings.prepare(folder)
            do {
                // Somebody else may take the port in between.
                let glewlwyd = try await Glewlwyd(
                    port: try freePort(), certificateAuthority: certificateAuthority, folder: folder)
                do {
                    try await glewlwyd.prepareProvider()
                } catch {
                    print("Glewlwyd was not prepared: \(error); its log ends with: \(glewlwyd.log.suffix(600))")
                    throw error
                }
                return glewlwyd
            } catch  where attempts < 3 && !Task.isCancelled {
                continue
            }
        }
    }

    /// A browser that trusts it.
    public func browser() -> GlewlwydBrowser { GlewlwydBrowser(origin: origin, caFile: certificateAuthority?.caFile) }

    /// Kills it and waits until it is gone.
    public func stop() async { await program.kill() }

    /// What it wrote into its log.
    public var log: String { program.output }
}

/// Runs `body` with a Glewlwyd of its own, which is gone afterwards whatever happens.
public func withGlewlwyd<Result>(
    certificateAuthority: TestCertificateAuthority? = nil, _ body: (Glewlwyd) async throws -> Result
) async throws -> Result {
    let glewlwyd = try await Glewlwyd.start(certificateAuthority: certificateAuthority)
    do {
        let result = try await body(glewlwyd)
        await glewlwyd.stop()
        return result
    } catch {
        await glewlwyd.stop()
        // Beside what the test says: whether the provider was still there.
        print("A test with Glewlwyd failed; its log ends with: \(glewlwyd.log.suffix(600))")
        throw error
    }
}
