import Baton
import Glibc

/// What an application is, checked once when it is made.
struct ClientIdentity: Sendable {
    let appID: String
    let clientID: String
    let redirectURI: AppRedirectURI
    let authority: ClientAuthority?
    let accountMode: PublicClientApplicationConfig.AccountMode

    init(_ configuration: PublicClientApplicationConfig, appID: String?) throws(ClientFault) {
        guard !configuration.clientId.isEmpty else { throw .clientID }
        let named = configuration.redirectUri.flatMap { AppRedirectURI.app(in: $0) }
        guard let appID = appID ?? Self.inherited ?? named else { throw .noAppID }
        guard Self.isAppID(appID) else { throw .appID }
        self.appID = appID
        clientID = configuration.clientId
        redirectURI = try AppRedirectURI(configuration.redirectUri, appID: appID)
        authority = configuration.authority
        accountMode = configuration.accountMode
    }

    /// What the agent tells an app that it starts.
    private static var inherited: String? {
        guard let value = getenv("BATON_APP_ID") else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    private static func isAppID(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                }
            }
    }
}
