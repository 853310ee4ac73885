/// What the provider is to be.
public struct ProviderOptions: Sendable {
    /// A loopback address: 127.0.0.0/8, `::1` or `localhost`.
    public var host = "127.0.0.1"
    /// 0: a free one.
    public var port = 0
    /// The host in the provider's addresses; the bound address when nil. It must stand for this machine.
    public var hostName: String?
    /// PEM files; both or none. With them the provider speaks https only.
    public var certificateFile: String?
    public var keyFile: String?

    public var kind = ProviderKind.openid
    public var tenant = "2f1a7c3e-5d0b-4c8e-9a46-0b7e8d1c9f52"
    public var accounts: [DevelopmentAccount] = []
    /// Nil: every client id is accepted, with the redirect URIs below.
    public var clients: [DevelopmentClient]?
    /// For clients that are not registered one by one; empty: any loopback or private-use address.
    public var redirectURIs: [String] = []
    /// For every client that has none of its own.
    public var backchannelLogoutURI: String?
    public var frontchannelLogoutURI: String?

    /// The keys to begin with; fresh ones when nil.
    public var keys: ProviderSigningKeys?

    public var misconduct = Misconduct()
    /// How long `slow` and `late-token` wait.
    public var delay: Duration = .seconds(5)

    /// What codes, access tokens and refresh tokens begin with, each followed by its kind, for who looks where they got to.
    public var tokenMark = ""

    /// Seconds.
    public var accessTokenLifetime = 3600
    public var idTokenLifetime = 3600
    public var refreshTokenLifetime = 86_400
    public var sessionLifetime = 43_200
    public var deviceCodeLifetime = 900
    public var deviceInterval = 5

    public init() {}

    public enum Fault: Error, Equatable, CustomStringConvertible {
        case notLoopback(String)
        case port(Int)
        case certificateWithoutKey
        case certificate(String)
        case publicKey(client: String)
        case tenant
        case seconds(String)
        case file(path: String, reason: String)

        /// Whether a file is to blame and not the way the program was called.
        public var isFile: Bool {
            switch self {
            case .file, .certificate, .publicKey: true
            default: false
            }
        }

        public var description: String {
            switch self {
            case .notLoopback(let host):
                "'\(host)' is not a loopback address. This provider is for development: it has passwords in plain "
                    + "text and misbehaves on demand, and listens on 127.0.0.1, ::1 or localhost only."
            case .port(let port): "\(port) is not a port; 0 stands for a free one."
            case .certificateWithoutKey: "A certificate needs its key, and a key its certificate."
            case .certificate(let reason): "The certificate or its key cannot be used: \(reason)"
            case .publicKey(let client): "The public key of client '\(client)' is neither PEM nor a JSON key set."
            case .tenant: "A tenant is a GUID."
            case .seconds(let name): "\(name) must be between 1 second and a year."
            case .file(let path, let reason): "\(path): \(reason)"
            }
        }
    }

    func check() throws(Fault) {
        guard Self.isLoopback(host) else { throw .notLoopback(host) }
        // No host on the internet has a name of `.test` (RFC 6761): browsers that a test told the address use it.
        if let hostName, !Self.isLoopback(hostName), !hostName.hasSuffix(".localhost"), !hostName.hasSuffix(".test") {
            throw .notLoopback(hostName)
        }
        guard (0...65_535).contains(port) else { throw .port(port) }
        guard (certificateFile == nil) == (keyFile == nil) else { throw .certificateWithoutKey }
        let lengths = [8, 4, 4, 4, 12]
        let groups = tenant.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == lengths, groups.joined().allSatisfy(\.isHexDigit) else { throw .tenant }
        for (name, value) in [
            ("The access token's lifetime", accessTokenLifetime), ("The ID token's lifetime", idTokenLifetime),
            ("The refresh token's lifetime", refreshTokenLifetime), ("The session's lifetime", sessionLifetime),
            ("The device code's lifetime", deviceCodeLifetime), ("The polling interval", deviceInterval),
        ] where !(1...31_536_000).contains(value) {
            throw .seconds(name)
        }
    }

    static func isLoopback(_ host: String) -> Bool {
        if ["localhost", "::1", "[::1]"].contains(host.lowercased()) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
