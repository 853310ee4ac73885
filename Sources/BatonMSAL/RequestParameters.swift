public import Baton
public import Dispatch
public import FoundationEssentials

/// What every request has. A class, as code for MSAL expects: it is read once, when the request begins.
public class RequestParameters {
    /// Where completion blocks run; nil: on a queue of the system's, not the main one.
    public var completionBlockQueue: DispatchQueue?

    public init() {}
}

/// What both kinds of token requests have.
public class TokenParameters: RequestParameters {
    /// The scopes of OpenID Connect are added by batond.
    public var scopes: [String]
    /// The account that the app believes holds the device; another one holds it: `mismatchedUser`.
    public var account: ClientAccount?
    /// Kept for the app: the provider is the device's.
    public var authority: ClientAuthority?
    public var claimsRequest: ClaimsRequest?
    public var extraQueryParameters: [String: String]?
    /// Goes to the provider and comes back in result or error; nil: a new one is made.
    public var correlationId: UUID?

    init(scopes: [String], account: ClientAccount?) {
        self.scopes = scopes
        self.account = account
    }

    var request: TokenRequest {
        TokenRequest(
            scopes: scopes, claims: claimsRequest?.jsonString, account: account?.account.id,
            correlationID: correlationId?.uuidString.lowercased())
    }
}

/// A request that may show a page of the provider.
public final class InteractiveTokenParameters: TokenParameters {
    public var promptType: TokenPrompt = .promptIfNecessary
    /// The user name that the provider's page begins with.
    public var loginHint: String?
    /// The organisation that the provider's page begins with.
    public var domainHint: String?
    /// Consented to on the same page, but not part of the token.
    public var extraScopesToConsent: [String]?
    public let webviewParameters: WebviewParameters

    public init(scopes: [String], webviewParameters: WebviewParameters = WebviewParameters()) {
        self.webviewParameters = webviewParameters
        super.init(scopes: scopes, account: nil)
    }

    override var request: TokenRequest {
        var request = super.request
        request.prompt = promptType == .ifNecessary ? nil : promptType
        request.loginHint = loginHint
        request.domainHint = domainHint
        request.extraScopesToConsent = extraScopesToConsent ?? []
        request.extraQueryParameters = extraQueryParameters ?? [:]
        return request
    }
}

/// A request that shows nothing.
public final class SilentTokenParameters: TokenParameters {
    /// Asks the provider even where there is a token that is still good.
    public var forceRefresh = false

    public override init(scopes: [String], account: ClientAccount?) {
        super.init(scopes: scopes, account: account)
    }

    override var request: TokenRequest {
        var request = super.request
        request.forceRefresh = forceRefresh
        return request
    }
}

/// Which accounts are meant; what is nil does not matter.
public final class AccountEnumerationParameters: RequestParameters {
    public let identifier: String?
    public let username: String?
    public let tenantProfileIdentifier: String?

    public override convenience init() { self.init(identifier: nil) }

    public init(identifier: String?, username: String? = nil) {
        self.identifier = identifier
        self.username = username
        tenantProfileIdentifier = nil
    }

    public init(tenantProfileIdentifier: String) {
        identifier = nil
        username = nil
        self.tenantProfileIdentifier = tenantProfileIdentifier
    }

    /// Read once, when the request begins.
    var filter: @Sendable (ClientAccount) -> Bool {
        let (identifier, username, profile) = (identifier, username?.lowercased(), tenantProfileIdentifier)
        return { account in
            (identifier.map { $0 == account.identifier || $0 == account.account.id } ?? true)
                && (username.map { $0 == account.account.username.lowercased() } ?? true)
                && (profile.map { $0 == account.account.id } ?? true)
        }
    }
}

/// How pages are shown. Where the device manages a browser, its agent shows them there and nothing of this matters.
public final class WebviewParameters {
    public enum WebviewType: Hashable, Sendable, CaseIterable {
        case `default`, authenticationSession, safariViewController, wkWebView
    }

    /// Kept for the app: there is one kind of browser.
    public var webviewType: WebviewType = .default
    /// Kept for the app: no browser of a shared device remembers a worker.
    public var prefersEphemeralWebBrowserSession = false
    /// Opens what is the app's to open; nil: the browser that the desktop names.
    public var showStep: (@Sendable (SignInStep) async -> Void)?

    public init() {}
}

/// A claims request (OpenID Connect Core, section 5.5).
public struct ClaimsRequest: Hashable, Sendable {
    public let jsonString: String

    /// - Throws: When it is no JSON object.
    public init(jsonString: String) throws {
        self.jsonString = try speakingMSAL {
            guard ClaimsText.isObject(jsonString) else { throw ClientFault.claims }
            return jsonString
        }
    }
}

extension TokenPrompt {
    /// MSAL's name.
    public static var promptIfNecessary: TokenPrompt { .ifNecessary }
    /// MSAL's name.
    public static var `default`: TokenPrompt { .ifNecessary }
}
