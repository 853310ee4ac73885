/// Changes the accounts in the text of a settings file and nothing else: comments, order and layout stay.
///
/// Each change is made in the text, read again and compared with what was meant; where it does not come out so, the
/// change is refused.
public enum AccountsText {
    /// Why the text was not changed.
    public enum Fault: Error, Equatable, CustomStringConvertible {
        /// The text is not a settings file, in this line.
        case unreadable(line: Int, String)
        /// There is such an account already.
        case exists(String)
        /// There is no such account, or it is there more than once.
        case unknown(String)
        /// The text is right, but written in a way that cannot be changed with certainty; do it by hand.
        case tooIntricate(line: Int)

        public var description: String {
            switch self {
            case .unreadable(let line, let message): "line \(line): \(message)"
            case .exists(let username): "there is an account '\(username.printable)' already"
            case .unknown(let username): "there is no account '\(username.printable)', or more than one"
            case .tooIntricate(let line):
                "line \(line): the accounts are written in a way that cannot be changed safely; please edit the file"
            }
        }
    }

    public static func adding(_ account: LocalAccount, to text: String) throws(Fault) -> String {
        var document = try Document(text)
        guard document.indices(of: account.username).isEmpty else { throw .exists(account.username) }
        try document.add(account)
        return try document.checked(against: document.meant { $0 + [account.node] })
    }

    public static func removing(_ username: String, from text: String) throws(Fault) -> String {
        var document = try Document(text)
        let index = try document.index(of: username)
        try document.remove(index)
        return try document.checked(
            against: document.meant { items in items.enumerated().filter { $0.offset != index }.map(\.element) })
    }

    public static func setting(_ pin: PINHash, of username: String, in text: String) throws(Fault) -> String {
        var document = try Document(text)
        let index = try document.index(of: username)
        try document.set(pin, index)
        return try document.checked(
            against: document.meant { items in
                items.enumerated().map {
                    $0.offset == index ? $0.element.setting("pin", to: .text(pin.text)) : $0.element
                }
            })
    }
}

extension MarkedYAML {
    static func text(_ text: String) -> MarkedYAML {
        MarkedYAML(line: 0, column: 0, content: .scalar(text, .double))
    }

    static func map(_ pairs: [(String, MarkedYAML)]) -> MarkedYAML {
        let pairs = pairs.map { Pair(key: $0.0, line: 0, column: 0, value: $0.1) }
        return MarkedYAML(line: 0, column: 0, content: .map(pairs))
    }

    static func list(_ items: [MarkedYAML]) -> MarkedYAML {
        MarkedYAML(line: 0, column: 0, content: .list(items))
    }

    /// The same map with one key more, or with another value for it.
    func setting(_ key: String, to value: MarkedYAML) -> MarkedYAML {
        guard case .map(var pairs) = content else { return self }
        pairs.removeAll { $0.key == key }
        pairs.append(Pair(key: key, line: line, column: column, value: value))
        return MarkedYAML(line: line, column: column, content: .map(pairs))
    }
}

extension LocalAccount {
    fileprivate var fields: [(String, String)] {
        [("username", username), ("name", name)] + (locale.map { [("locale", $0)] } ?? [])
            + (pin.map { [("pin", $0.text)] } ?? [])
    }

    fileprivate var node: MarkedYAML { .map(fields.map { ($0.0, .text($0.1)) }) }

    /// As one line of YAML.
    var line: String {
        "{" + fields.map { "\($0.0): \(Self.quoted($0.1))" }.joined(separator: ", ") + "}"
    }

    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text {
            if character == "\"" || character == "\\" { quoted.append("\\") }
            quoted.append(character)
        }
        return quoted + "\""
    }
}
