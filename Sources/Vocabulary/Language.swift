/// A language that workers can read the terminal in.
public enum Language: String, Hashable, Sendable, CaseIterable {
    case english = "en"
    case german = "de"
    case hungarian = "hu"
    case czech = "cs"
    case polish = "pl"
    case russian = "ru"

    /// - Parameter locale: As OpenID Connect (BCP 47) or POSIX writes it: `de`, `de-AT`, `de_AT.UTF-8`. Nil: Baton does not have its
    ///   language.
    public init?(locale: String) {
        guard let code = LocaleParts.of(locale).first else { return nil }
        self.init(rawValue: code.lowercased())
    }

    /// What its speakers call it.
    public var ownName: String {
        switch self {
        case .english: "English"
        case .german: "Deutsch"
        case .hungarian: "Magyar"
        case .czech: "Čeština"
        case .polish: "Polski"
        case .russian: "Русский"
        }
    }
}
