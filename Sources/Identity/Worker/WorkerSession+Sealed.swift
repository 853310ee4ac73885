import FoundationEssentials
public import Secrets

/// What survives a restart of the daemon, in memory that the service manager holds.
private struct SealedSession: Codable {
    static let version = 1
    static let largest = 2 << 20
    /// What access tokens may weigh in all, in bytes.
    static let roomForAccess = 256 << 10

    var version: Int
    /// Whom these tokens may be shown to, and as whose.
    var authority: String
    var clientID: String
    var isClosed: Bool
    var identity: SealedIdentity
    var refreshToken: String?
    /// Nil in what an older batond wrote.
    var olderRefreshTokens: [String]?
    /// Those that apps were given, for their end; nil in what an older batond wrote.
    var accessTokens: [SealedAccessToken]?
    var idToken: String?
    var sessionID: String
    var scopes: [String]
    var granted: [String]
    /// Nil in what an older batond wrote.
    var isWidened: Bool?
}

private struct SealedAccessToken: Codable {
    var token: String
    var expires: Int64
}

private struct SealedIdentity: Codable {
    var issuer, subject, username, name, email, locale, tenant, objectID, environment, sessionID: String
    var authenticationTime: Int64?
    /// Nil in what an older batond wrote.
    var homeTenant, homeObjectID: String?

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
        homeTenant = identity.homeTenant
        homeObjectID = identity.homeObjectID
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
        identity.homeTenant = homeTenant ?? ""
        identity.homeObjectID = homeObjectID ?? ""
        return identity
    }
}

extension WorkerSession {
    /// The session for a sealed memfd; never for a disk. Its access tokens are there to be revoked, and answer no app.
    ///
    /// After sign-out it holds what the provider is still to be told, and comes back closed.
    public func sealed() -> Secret {
        let refreshToken = isClosed ? debt?.openRefreshToken : holdings.refreshToken
        let older = isClosed ? debt?.openOlderRefreshTokens ?? [] : holdings.olderRefreshTokens
        let idToken = isClosed ? debt?.openIDToken : holdings.idToken
        let session = SealedSession(
            version: SealedSession.version, authority: party.settings.authority.url,
            clientID: party.settings.clientID, isClosed: isClosed, identity: SealedIdentity(identity),
            refreshToken: refreshToken?.text, olderRefreshTokens: older.map(\.text),
            accessTokens: sealedAccessTokens, idToken: idToken?.text,
            sessionID: holdings.sessionID,
            scopes: holdings.scopes.list, granted: holdings.granted.list, isWidened: holdings.isWidened)
        // Texts and numbers can always be written.
        return Secret([UInt8]((try? JSONEncoder().encode(session)) ?? Data()))
    }

    private var sealedAccessTokens: [SealedAccessToken] {
        let now = party.now
        let tokens =
            isClosed
            // Its debt does not know when they end; the provider says it when it is told.
            ? (debt?.openAccessTokens ?? []).map { SealedAccessToken(token: $0.text, expires: now &+ 86_400) }
            : holdings.cache.tokens(now: now).map { SealedAccessToken(token: $0.token.text, expires: $0.expires) }
        var room = SealedSession.roomForAccess
        return tokens.filter { token in
            room -= token.token.utf8.count
            return room >= 0
        }
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
        _ = holdings.cache.remember(
            (session.accessTokens ?? []).map { token in
                AccessToken(
                    token: Secret(text: token.token), expires: token.expires, grantedScopes: [], declinedScopes: [],
                    correlationID: "")
            })
        self.init(
            party: client.party, identity: session.identity.identity, holdings: holdings, isClosed: session.isClosed)
    }
}

extension SignOutDebt {
    fileprivate var openRefreshToken: Secret? { refresh == .open ? refreshToken : nil }
    fileprivate var openOlderRefreshTokens: [Secret] {
        access == .open ? others.filter { $0.hint == .refreshToken }.map(\.token) : []
    }
    fileprivate var openAccessTokens: [Secret] {
        access == .open ? others.filter { $0.hint == .accessToken }.map(\.token) : []
    }
    fileprivate var openIDToken: Secret? { session == .open ? idToken : nil }
}
