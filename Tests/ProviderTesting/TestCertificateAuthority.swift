import FolderTesting

/// A certificate authority for one test, and a server certificate of it for `localhost` and `127.0.0.1`.
///
/// Both are real, made by openssl, good for one day and gone with this.
public final class TestCertificateAuthority: Sendable {
    private let folder: TemporaryFolder

    /// The CA's certificate, a PEM file.
    public var caFile: String { "\(folder.path)/ca.pem" }
    public var certificateFile: String { "\(folder.path)/server.pem" }
    /// PKCS #8, without a pass phrase.
    public var keyFile: String { "\(folder.path)/server.key" }

    /// - Parameter names: For whom the server certificate is, as openssl writes it.
    public init(names: String = "DNS:localhost,IP:127.0.0.1") async throws {
        folder = try TemporaryFolder("ca")
        let path = folder.path
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try await run(
            ["openssl", "req", "-x509", "-days", "1", "-subj", "/CN=Baton test CA"] + key
                + ["-keyout", "\(path)/ca.key", "-out", caFile]
                + ["-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign,cRLSign"])
        try await run(
            ["openssl", "req", "-subj", "/CN=localhost"] + key + ["-keyout", keyFile, "-out", "\(path)/server.csr"])
        let extensions = try folder.write(
            """
            subjectAltName=\(names)
            basicConstraints=critical,CA:FALSE
            keyUsage=critical,digitalSignature
            extendedKeyUsage=serverAuth

            """, to: "server.ext")
        try await run([
            "openssl", "x509", "-req", "-days", "1", "-in", "\(path)/server.csr", "-CA", caFile, "-CAkey",
            "\(path)/ca.key", "-CAcreateserial", "-extfile", extensions, "-out", certificateFile,
        ])
    }
}
