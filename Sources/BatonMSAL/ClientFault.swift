/// What an app's own configuration or call gets wrong, before the device is asked.
enum ClientFault: Error, Hashable {
    case clientID
    case noAppID
    case appID
    case authority(AuthorityFault)
    case redirectURI(String, AppRedirectURI.Fault)
    case severalAccounts
    /// Whether the device is shared is not known.
    case severalAccountsPerhaps
    case claims
    case noSuchAccount(String)
    /// The app removed the account, or signed it out of itself.
    case removedAccount
    case otherAccount
    case noBrowserToSignOut
    case signedOutBadly(String)
}

extension ClientFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .clientID: "The client id is empty."
        case .noAppID:
            "An app on a shared device has an id: give appID, such as org.example.Till, or BATON_APP_ID in the environment."
        case .appID: "An app's id has letters, digits and . _ - only, at most 255 of them."
        case .authority(let fault): "The authority \(fault)."
        case .redirectURI(let uri, let fault): fault.message(for: uri)
        case .severalAccounts:
            "This app is configured for several accounts, and this device is shared: one worker holds it at a time. Set "
                + "accountMode to .single."
        case .severalAccountsPerhaps:
            "This app is configured for several accounts, and Baton cannot tell now whether this device is shared, so "
                + "it is treated as shared. Start batond, or set accountMode to .single."
        case .claims: "A claims request is a JSON object."
        case .noSuchAccount(let what): "No account here is \(what)."
        case .removedAccount: "This app has removed the account: call acquireToken."
        case .otherAccount: "This account does not hold the device: no worker was signed out."
        case .noBrowserToSignOut:
            "This app is signed out. A device in personal mode has no browser that Baton could sign out: sign out there."
        case .signedOutBadly(let what): what
        }
    }

    var entry: MSALErrorTable.Entry {
        switch self {
        case .clientID, .noAppID, .appID, .severalAccounts, .severalAccountsPerhaps, .claims: .init(.invalidParameter)
        case .authority: .init(.failedAuthorityValidation)
        case .redirectURI: .init(.invalidRedirectURI)
        case .noSuchAccount: .init(.accountRequired)
        case .removedAccount: .init(.interactionRequired, .accountRequired)
        case .otherAccount: .init(.mismatchedUser)
        case .noBrowserToSignOut: .init(.noViewController)
        case .signedOutBadly: .init(.invalidState)
        }
    }
}
