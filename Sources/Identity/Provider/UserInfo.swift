public import Secrets
import WebText

/// Asks who an access token is for: OpenID Connect Core, section 5.3.
public struct UserInfo: Sendable {
    private let discovery: Discovery
    private let http: any HTTPExchange

    public init(discovery: Discovery, http: any HTTPExchange) {
        self.discovery = discovery
        self.http = http
    }

    /// - Parameter subject: Whom the ID token named, when there was one: the answer must be about the same.
    /// - Throws: `unsupported`, `notTrusted` if the answer is about another account, and the request's errors.
    public func userinfo(
        accessToken: Secret, subject: String? = nil, correlationID: String
    ) async throws(IdentityError) -> WorkerIdentity {
        try await answer(accessToken: accessToken, subject: subject, correlationID: correlationID).identity
    }

    /// The same with all that the provider said, which `AccountRule` needs.
    public func answer(
        accessToken: Secret, subject: String? = nil, correlationID: String
    ) async throws(IdentityError) -> VerifiedIDToken {
        let metadata = try await discovery.metadata()
        guard let url = metadata.userinfoEndpoint else {
            throw IdentityError(.unsupported(what: "the provider has no userinfo endpoint"))
        }
        guard let bearer = IdentityText.identifier(accessToken.text, longest: 32 << 10), !bearer.contains(" ") else {
            throw IdentityError(.invalidAnswer(what: "the access token is invalid"), correlationID: correlationID)
        }
        let response = try await http.send(
            HTTPRequest(
                .get, url, headers: [(name: "Authorization", value: "Bearer \(bearer)")], correlationID: correlationID))
        do throws(IdentityError) {
            return try Self.read(
                response, authority: discovery.authority, metadata: metadata, subject: subject,
                correlationID: correlationID)
        } catch {
            throw IdentityError(error.cause, correlationID: correlationID, errorCodes: error.errorCodes)
        }
    }

    static func read(
        _ response: HTTPResponse, authority: Authority, metadata: ProviderMetadata, subject: String?,
        correlationID: String
    ) throws(IdentityError) -> VerifiedIDToken {
        let body = try response.document("userinfo", correlationID: correlationID)
        let type = response.header("content-type")?.lowercased().prefix { $0 != ";" && $0 != " " }
        guard type == "application/json", let claims = JSONValue(body)?.object else {
            throw IdentityError(.invalidAnswer(what: "userinfo is not JSON"))
        }
        guard let named = IdentityText.identifier(claims["sub"]?.string) else {
            throw IdentityError(.invalidAnswer(what: "userinfo names no subject"))
        }
        guard subject == nil || subject == named else {
            throw IdentityError(.notTrusted(what: "userinfo has another subject than the ID token"))
        }
        return VerifiedIDToken(
            claims: claims,
            identity: WorkerIdentity(
                issuer: try issuer(of: claims, authority: authority, metadata: metadata), subject: named,
                claims: claims, authority: authority))
    }

    /// The answer itself names no issuer: it is the provider's, whose connection was verified.
    private static func issuer(
        of claims: [String: JSONValue], authority: Authority, metadata: ProviderMetadata
    ) throws(IdentityError) -> String {
        guard metadata.issuer.contains(MicrosoftCloud.template) else { return metadata.issuer }
        let tenant = claims["tid"]?.string
        let issuer = metadata.issuer.replacing(MicrosoftCloud.template, with: tenant ?? "")
        guard authority.accepts(tokenIssuer: issuer, tenant: tenant, metadata: metadata) else {
            throw IdentityError(.unsupported(what: "userinfo does not name the tenant of the account"))
        }
        return issuer
    }
}
