internal import FoundationEssentials
public import Secrets

/// What survives a restart of the daemon, in memory that the service manager holds.
private struct SealedSession: Codable {
    static let version = 1
    static let largest = 2 << 20

    var version: Int
    /// Whom these tokens may be shown to, and as whose.
    var authority: String
    var clientID: String
    var isClosed: Bool
    var identity: SealedIdentity
    var refreshToken: String?
    /// Nil in what an older batond wrote.
    var olderRefreshTokens: [String]?
    var idToken: String?
    var sessionID: String
    var scopes: [String]
    var granted: [String]
    /// Nil in what an older batond wrote.
    var isWidened: Bool?
}

private struct SealedIdentity: Codable {
    var issuer, subject, username, name, email, locale, tenant, objectID, environment, sessionID: String
    var authenticationTime: Int64?

    init(_ identity: WorkerIdentity) {
        issuer = identity.issuer
        subject = identity.subject
        username = identity.username
        name = identity.name
        email = identity.email
        locale = identity.locale
        tenant = identity.tenant
        objectID = identity.objectID
        environment = identity.environment
        sessionID = identity.sessionID
        authenticationTime = identity.authenticationTime
    }

    var identity: WorkerIdentity {
        var identity = WorkerIdentity(issuer: issuer, subject: subject)
        identity.username = username
        identity.name = name
        identity.email = email
        identity.locale = locale
        identity.tenant = tenant
        identity.objectID = objectID
        identity.environment = environment
        identity.sessionID = sessionID
        identity.authenticationTime = authenticationTime
        return identity
    }
}

extension WorkerSession {
    /// The session without its access tokens, for a sealed memfd; never for a disk.
    ///
    /// After sign-out it holds what the provider is still to be told, and comes back closed.
    public func sealed() -> Secret {
        let refreshToken = isClosed ? debt?.openRefreshToken : holdings.refreshToken
        let older = isClosed ? debt?.openOlderRefreshTokens ?? [] : holdings.olderRefreshTokens
        let idToken = isClosed ? debt?.openIDToken : holdings.idToken
        let session = SealedSession(
            version: SealedSession.version, authority: party.settings.authority.url,
            clientID: party.settings.clientID, isClosed: isClosed, identity: SealedIdentity(identity),
            refreshToken: refreshToken?.text, olderRefreshTokens: older.map(\.text), idToken: idToken?.text,
            sessionID: holdings.sessionID,
            scopes: holdings.scopes.list, granted: holdings.granted.list, isWidened: holdings.isWidened)
        // Texts and numbers can always be written.
        return Secret([UInt8]((try? JSONEncoder().encode(session)) ?? Data()))
    }

    /// Restores what `sealed` wrote; nil when it cannot be read or belongs to another provider or client. The tokens are
    /// taken on trust.
    public init?(sealed: Secret, client: OpenIDClient) {
        guard sealed.count <= SealedSession.largest else { return nil }
        let bytes = sealed.withUnsafeBytes { Data($0) }
        guard let session = try? JSONDecoder().decode(SealedSession.self, from: bytes),
            session.version == SealedSession.version, session.authority == client.settings.authority.url,
            session.clientID == client.settings.clientID, !session.identity.issuer.isEmpty,
            !session.identity.subject.isEmpty
        else { return nil }
        var holdings = Holdings(
            refreshToken: session.refreshToken.map { Secret(text: $0) },
            idToken: session.idToken.map { Secret(text: $0) }, sessionID: session.sessionID,
            scopes: ScopeSet(granted: session.scopes), granted: ScopeSet(granted: session.granted))
        holdings.isWidened = session.isWidened ?? false
        holdings.olderRefreshTokens = (session.olderRefreshTokens ?? []).prefix(Holdings.mostOlder)
            .map { Secret(text: $0) }
        self.init(
            party: client.party, identity: session.identity.identity, holdings: holdings, isClosed: session.isClosed)
    }
}

extension SignOutDebt {
    fileprivate var openRefreshToken: Secret? { refresh == .open ? refreshToken : nil }
    fileprivate var openOlderRefreshTokens: [Secret] {
        access == .open ? others.filter { $0.hint == .refreshToken }.map(\.token) : []
    }
    fileprivate var openIDToken: Secret? { session == .open ? idToken : nil }
}
