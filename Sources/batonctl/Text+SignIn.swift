import Baton

extension Text {
    // MARK: Signing in through a provider

    static let whoSignsIn = "This device has local accounts: name one, as in `batonctl sign-in ana`."
    static func onlyForProvider(_ option: String) -> String {
        "\(option) is for devices that sign in through OpenID Connect; this one has local accounts."
    }
    static func notBoth(_ option: String, _ other: String) -> String { "Take either \(option) or \(other)." }
    static func onlyWith(_ option: String, _ other: String) -> String { "\(option) is for \(other)." }
    static func onlyForLocalAccounts(_ option: String) -> String {
        "\(option) is for local accounts; this device signs in through OpenID Connect."
    }
    static let twoLoginHints = "The user name is the login hint; give only one of the two."
    static func noSuchPrompt(_ name: String) -> String {
        "'\(name.printable)' is not a prompt; use "
            + SignInPrompt.allCases.map(\.rawValue).joined(separator: ", ") + "."
    }
    static func noDuration(_ text: String) -> String {
        "'\(text.printable)' is not a duration; write it as 0s, 30s, 15min, 1h or 90d."
    }

    static let noXDGOpen = "There is no xdg-open to open the page with (package xdg-utils); open it yourself."

    static let oneURL = "Give the one address that the browser was sent to: a scheme, then visible characters."
    static let nothingWaits =
        "No sign-in is waiting for this answer: it has ended, or was started elsewhere. Sign in again."

    static func identityProvider(_ device: DeviceInformation) -> String {
        "OpenID Connect, \(device.issuer.printable)"
            + (device.tenant.isEmpty ? "" : ", tenant \(device.tenant.printable)")
    }

    /// Nil where there is no provider.
    static func provider(_ receipt: Receipt) -> String? {
        let outcome: String
        switch receipt.provider {
        case .none: return nil
        case .signedOut: outcome = "signed out"
        case .told: outcome = "told, without proof that its session ended"
        case .revoked: outcome = "tokens revoked; its log-out page waits for a person"
        case .pending: outcome = "timed out; batond keeps trying"
        case .refused: outcome = "refused the sign-out"
        case .notTold: outcome = "not told: batond had no tokens to sign out with"
        }
        let more = receipt.providerExplanation
        return "Provider: \(outcome)" + (more.isEmpty ? "" : " – \(more.printable)")
    }

    /// Nil where there is no provider, and so no tokens.
    static func tokens(_ receipt: Receipt) -> String? {
        let hasProvider = receipt.provider != .none
        let (rows, why) = (receipt.tokens, receipt.tokensExplanation)
        guard hasProvider || !rows.isEmpty || !why.isEmpty else { return nil }
        let counts = rows.map { "\($0.count) to \($0.app.isEmpty ? "other apps" : $0.app.printable)" }
        let none = why.isEmpty ? "none" : "unchecked"
        let text = counts.isEmpty ? none : (why.isEmpty ? "" : "at least ") + counts.joined(separator: ", ")
        return "Tokens: \(text)" + (why.isEmpty ? "" : " – \(why.printable)")
    }

    enum Schemes {
        static let oneFolder = "Choose one of --user and --system."
        static let noAppID = "An app's id has letters, digits and . _ - only."
        static let noFolder = "Cannot find the folder for desktop files: neither XDG_DATA_HOME nor HOME is set."
        static let nothingToRemove = "There is nothing to remove."
        static func nothing(_ folder: String) -> String {
            "There is nothing to do: no app of \(folder) has a redirect URI of a scheme of its own."
        }
        static func noScheme(_ app: String, _ folder: String) -> String {
            "\(folder) has no \(app).yaml with a redirect URI of a scheme of its own.".printable
        }
        static func written(_ file: String, _ scheme: RedirectScheme, _ isRehearsal: Bool) -> String {
            "\(isRehearsal ? "Would write" : "Wrote") \(file): \(scheme.scheme) of \(scheme.app)"
        }
        static func unchanged(_ file: String, _ scheme: RedirectScheme) -> String {
            "Unchanged \(file): \(scheme.scheme) of \(scheme.app)"
        }
        static func removed(_ file: String, _ isRehearsal: Bool) -> String {
            "\(isRehearsal ? "Would remove" : "Removed") \(file)"
        }
        static func notOurs(_ file: String) -> String { "Left alone \(file): batonctl did not write it" }
        static func ran(_ program: String, _ arguments: [String]) -> String {
            "Ran \(([program] + arguments).joined(separator: " "))"
        }
        static func failed(_ program: String, _ arguments: [String]) -> String {
            "\(([program] + arguments).joined(separator: " ")) failed"
        }
        static func notThere(_ program: String) -> String {
            "\(program) is not installed; the desktop may see the change only after the next login."
        }
    }
}
