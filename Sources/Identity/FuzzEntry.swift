import Secrets

/// Ways in for generated input: each takes any bytes, must come back, and says whether they were believed.
public enum FuzzEntry {
    /// Discovery documents.
    public static func discovery(_ bytes: [UInt8], authority: Authority) -> Bool {
        (try? ProviderMetadata(bytes, authority: authority)) != nil
    }

    /// Key documents.
    public static func keys(_ bytes: [UInt8]) -> Bool {
        (try? SigningKeys.read(bytes)) != nil
    }

    /// Answers of discovery, key and userinfo endpoints: status, header fields and body, in lines.
    public static func answer(_ bytes: [UInt8], authority: Authority, metadata: ProviderMetadata) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        func line(_ place: Int) -> String { parts.count > place ? String(decoding: parts[place], as: UTF8.self) : "" }
        let response = HTTPResponse(
            status: Int(line(0)) ?? 200,
            headers: [(name: "Cache-Control", value: line(1)), (name: "Content-Type", value: "application/json")],
            body: parts.count > 2 ? Array(parts[2]) : [])
        _ = response.lifetime
        let worker = try? UserInfo.read(
            response, authority: authority, metadata: metadata, subject: nil, correlationID: "")
        return worker != nil
    }

    /// The parts of addresses.
    public static func address(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let authority = try? Authority(text) else { return false }
        _ = (authority.discoveryURL, authority.knownHosts, authority.limits)
        return authority.accepts(metadataIssuer: text)
    }
}

/// Keys and rules that stay the same while generated tokens are tried with them.
public struct TokenFuzzEntry: Sendable {
    private let keys: SigningKeys
    private let authority: Authority
    private let metadata: ProviderMetadata
    private let clientID: String
    private let now: Int64

    public init(
        keys: [UInt8], authority: Authority, metadata: ProviderMetadata, clientID: String, now: Int64
    ) async throws(IdentityError) {
        self.keys = try await SigningKeys(keys)
        self.authority = authority
        self.metadata = metadata
        self.clientID = clientID
        self.now = now
    }

    public func idToken(_ bytes: [UInt8]) -> Bool {
        guard let token = try? SignedToken(bytes), let verified = keys.verify(token) else { return false }
        let rules = IDTokenRules(authority: authority, metadata: metadata, now: now)
        return (try? rules.check(verified, expecting: IDTokenExpectation(clientID: clientID))) != nil
    }

    public func logoutToken(_ bytes: [UInt8]) -> Bool {
        guard let token = try? SignedToken(bytes), let verified = keys.verify(token) else { return false }
        let rules = LogoutTokenRules(authority: authority, metadata: metadata, clientID: clientID, now: now)
        return (try? rules.check(verified)) != nil
    }
}
