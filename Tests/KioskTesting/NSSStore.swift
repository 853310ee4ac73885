import BusTesting
public import ProviderTesting

/// A certificate store as Chromium and Firefox read it, with a test's authority in it.
public enum NSSStore {
    /// For Chromium: `~/.pki/nssdb` of a home.
    public static func make(inHome home: String, _ authority: TestCertificateAuthority) async throws {
        try await make(inFolder: "\(home)/.pki/nssdb", authority)
    }

    /// For Firefox: `cert9.db` of a profile.
    public static func make(inFolder folder: String, _ authority: TestCertificateAuthority) async throws {
        try await run(["mkdir", "-p", folder])
        try await run(["certutil", "-N", "-d", "sql:\(folder)", "--empty-password"])
        // C: an authority for servers.
        try await run(["certutil", "-A", "-d", "sql:\(folder)", "-t", "C,,", "-n", "test CA", "-i", authority.caFile])
    }

    private static func run(_ arguments: [String]) async throws {
        let (output, status) = await (try ChildProcess(arguments)).end()
        guard status == 0 else { throw TestingError("\(arguments.first ?? ""): \(status): \(output)") }
    }
}
