import FoundationEssentials
import JWTKit
import WebText

extension AuthorizationServer {
    static let loopbackHosts: Set<String> = ["127.0.0.1", "[::1]", "localhost"]

    /// The registered client, or with no register one that any caller may be.
    func client(_ id: String) -> DevelopmentClient? {
        guard !id.isEmpty, id.utf8.count <= 256 else { return nil }
        if let clients = options.clients { return clients.first { $0.id == id } }
        return DevelopmentClient(id: id, redirectURIs: options.redirectURIs)
    }

    func isRegistered(_ uri: String, for client: DevelopmentClient) -> Bool {
        guard !uri.contains("#"), uri.utf8.count <= 2048 else { return false }
        guard !client.redirectURIs.isEmpty else { return Self.isNative(uri) }
        return client.redirectURIs.contains { matches(uri, registered: $0) }
    }

    func isRegisteredForLogout(_ uri: String, for client: DevelopmentClient) -> Bool {
        guard !uri.contains("#"), uri.utf8.count <= 2048 else { return false }
        if options.clients == nil || client.redirectURIs.isEmpty && client.postLogoutRedirectURIs.isEmpty {
            return Self.isNative(uri)
        }
        return client.postLogoutRedirectURIs.contains { matches(uri, registered: $0) }
    }

    /// Loopback redirect URIs match with any port (RFC 8252, section 7.3).
    private func matches(_ uri: String, registered: String) -> Bool {
        if uri == registered { return true }
        guard !misconduct.contains(.exactLoopbackPort), let one = Self.withoutPort(uri) else { return false }
        return one == Self.withoutPort(registered)
    }

    /// Nil for what is no http address of this machine.
    private static func withoutPort(_ uri: String) -> String? {
        guard uri.hasPrefix("http://") else { return nil }
        let rest = uri.dropFirst(7)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard
            let host = loopbackHosts.first(where: {
                authority == $0 || authority.hasPrefix($0 + ":") && UInt16(authority.dropFirst($0.count + 1)) != nil
            })
        else { return nil }
        return host + rest.dropFirst(authority.count)
    }

    /// A loopback address, or a scheme that an app may have for itself.
    private static func isNative(_ uri: String) -> Bool {
        if withoutPort(uri) != nil { return true }
        let scheme = uri.prefix { $0 != ":" }.lowercased()
        return uri.contains(":") && !["http", "https", "javascript", "data", "file", "about"].contains(scheme)
            && scheme.first?.isLetter == true
    }

    /// RFC 6749, section 2.3, and `private_key_jwt` of OpenID Connect Core, section 9.
    func authenticate(_ exchange: Exchange) async throws(OAuthFault) -> DevelopmentClient {
        let form = exchange.form
        guard form.repeated.isEmpty else { throw .invalidRequest("A parameter is there twice.") }
        let basic = exchange.basic
        let assertion = form["client_assertion"]
        let id = basic?.id ?? form["client_id"] ?? assertion.flatMap(Self.subject(of:))
        guard let id else { throw .invalidRequest("client_id is missing.") }
        guard let client = client(id) else { throw .invalidClient }
        if let other = form["client_id"], other != id { throw .invalidClient }
        guard [basic?.secret, form["client_secret"], assertion].count(where: { $0 != nil }) <= 1 else {
            throw .invalidRequest("The client authenticates in two ways.")
        }
        if client.isPublic { return client }
        if let assertion, let key = client.publicKey {
            try await verify(assertion, of: client, key: key, exchange)
            return client
        }
        guard let secret = client.secret, let given = basic?.secret ?? form["client_secret"],
            SameText.compare(secret, given)
        else { throw .invalidClient }
        return client
    }

    private static func subject(of assertion: String) -> String? {
        let parts = assertion.split(separator: ".")
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1].utf8) else { return nil }
        return JSONValue(bytes)?["sub"]?.string
    }

    private func verify(
        _ assertion: String, of client: DevelopmentClient, key: String, _ exchange: Exchange
    ) async throws(OAuthFault) {
        guard exchange.form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            let keys = try? await ReceivedClientAssertion.keys(key),
            let claims = try? await keys.verify(assertion, as: ReceivedClientAssertion.self)
        else { throw .invalidClient }
        let addresses =
            [base, address(.token, beside: exchange.route), address(exchange.route.endpoint, beside: exchange.route)]
            .compactMap { $0 } + [try tenants.discoveryIssuer(base, exchange.route)]
        let expires = claims.exp.value.timeIntervalSince1970
        guard claims.iss.value == client.id, claims.sub.value == client.id,
            claims.aud.value.contains(where: addresses.contains),
            expires > now, expires < now + 3600
        else { throw .invalidClient }
        let used = "\(client.id) \(claims.jti.value)"
        guard assertions.value(used, now: now) == nil else { throw .invalidClient }
        assertions.insert(true, for: used, expires: expires, now: now)
    }
}
