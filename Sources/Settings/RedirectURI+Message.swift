import BatonContract

extension RedirectURI.Fault {
    /// The fault with the URI, unless that may hold a password.
    func message(for text: String) -> String {
        self == .userName ? "the redirect URI \(self)" : "'\(SettingsText.printable(text))' \(self)"
    }
}
