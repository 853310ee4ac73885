public import Vocabulary

/// A worker who signs in with a user name and a PIN, without an identity provider.
public struct LocalAccount: Sendable, Hashable {
    public let username: String
    /// The name for people.
    public let name: String
    /// A locale such as `hr` or `de_AT`, when one is set.
    public let locale: String?
    /// The layout of their keyboard, when one is set.
    public let keyboard: KeyboardLayout?
    /// Nil until an administrator sets one; such an account cannot sign in.
    public let pin: PINHash?

    /// The issuer of every local account.
    public static let issuer = "local"

    /// Issuer and subject in one opaque string.
    public var id: String { "\(Self.issuer)#\(username)" }

    /// What is wrong with the fields of an account, as a sentence's end.
    public enum Fault: Error, Equatable, CustomStringConvertible {
        case username(String)
        case name
        case locale(String)
        case keyboard(String)

        public var description: String {
            switch self {
            case .username(let text):
                "'\(text.printable)' is not a user name: 1 to 64 letters, digits and . _ @ + -, not beginning with -"
            case .name: "the name must have 1 to 256 bytes and no control characters"
            case .locale(let text): "'\(text.printable)' is not a locale, such as hr or de_AT"
            case .keyboard(let text): "'\(text.printable)' is not a keyboard layout, such as de or ch(fr)"
            }
        }
    }

    public init(
        username: String, name: String, locale: String? = nil, keyboard: String? = nil, pin: PINHash?
    ) throws(Fault) {
        guard Self.isUsername(username) else { throw .username(username) }
        guard (1...256).contains(name.utf8.count), name.unicodeScalars.allSatisfy({ $0.isPlain }) else { throw .name }
        if let locale, !Self.isLocale(locale) { throw .locale(locale) }
        let layout = keyboard.flatMap(KeyboardLayout.init)
        if let keyboard, layout == nil { throw .keyboard(keyboard) }
        self.username = username
        self.name = name
        self.locale = locale
        self.keyboard = layout
        self.pin = pin
    }

    private init(_ other: LocalAccount, pin: PINHash) {
        username = other.username
        name = other.name
        locale = other.locale
        keyboard = other.keyboard
        self.pin = pin
    }

    /// The same account with another PIN.
    func with(_ pin: PINHash) -> LocalAccount { LocalAccount(self, pin: pin) }

    /// Whether the text can be a user name.
    public static func isUsername(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && !text.hasPrefix("-")
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "._@+-".utf8.contains($0) }
    }

    /// Whether the text can be a locale.
    public static func isLocale(_ text: String) -> Bool {
        (2...35).contains(text.utf8.count) && text.utf8.first.map(\.isLetterOrDigit) == true
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "_.@-".utf8.contains($0) }
    }
}

extension Unicode.Scalar {
    /// Neither a control character nor one that breaks lines or hides the order of text.
    var isPlain: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .format: false
        default: true
        }
    }
}

extension String {
    /// Fit for an error message: short, and without control characters.
    var printable: String {
        var text = ""
        for scalar in unicodeScalars.prefix(64) {
            text.unicodeScalars.append(scalar.isPlain ? scalar : "?")
        }
        return unicodeScalars.count > 64 ? text + "…" : text
    }
}
