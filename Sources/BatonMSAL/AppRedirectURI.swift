import Baton

/// The address at which an app takes the provider's answer.
struct AppRedirectURI: Hashable, Sendable {
    let text: String
    /// The app named none.
    let isDefault: Bool

    enum Fault: Error, Hashable {
        case general(RedirectURI.Fault)
        /// It is of Microsoft's form for another app.
        case otherApp(String)
        /// It is of Microsoft's form and names no app.
        case noApp
    }

    /// - Parameter text: nil: `msauth.<app id>://auth`.
    init(_ text: String?, appID: String) throws(ClientFault) {
        self.text = text ?? "msauth.\(appID)://auth"
        isDefault = text == nil
        do throws(Fault) {
            try Self.check(self.text, appID)
        } catch {
            throw .redirectURI(self.text, error)
        }
    }

    private static func check(_ text: String, _ appID: String) throws(Fault) {
        do throws(RedirectURI.Fault) {
            try RedirectURI.check(text)
        } catch {
            throw .general(error)
        }
        guard let app = app(in: text) else { return }
        guard !app.isEmpty else { throw .noApp }
        guard app.lowercased() == appID.lowercased() else { throw .otherApp(app) }
    }

    /// The app that an address of the form `msauth.<app id>:` names; nil for another form.
    static func app(in text: String) -> String? {
        let scheme = text.prefix { $0 != ":" }
        guard scheme.lowercased().hasPrefix("msauth.") else { return nil }
        return String(scheme.dropFirst("msauth.".count))
    }
}

extension AppRedirectURI.Fault {
    func message(for uri: String) -> String {
        switch self {
        // It may hold a password.
        case .general(.userName): "The redirect URI \(RedirectURI.Fault.userName)."
        case .general(let fault): "The redirect URI '\(printable(uri))' \(fault)."
        case .otherApp(let app):
            "The redirect URI '\(printable(uri))' is that of the app \(printable(app)): it must name this app's id."
        case .noApp: "The redirect URI '\(printable(uri))' names no app: it must have the form msauth.<app id>://auth."
        }
    }

    private func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(200).map { $0.isPlain ? $0 : "?" }))
    }
}

extension Unicode.Scalar {
    fileprivate var isPlain: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: true
        }
    }
}
