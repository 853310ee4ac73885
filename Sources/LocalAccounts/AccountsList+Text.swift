import Vocabulary

extension AccountsList {
    /// The one key of an accounts file.
    static let key = "accounts"

    private static let header = """
        # The local accounts. `batonctl account` writes this file, each time as a whole: other keys are refused, and comments
        # are not kept.

        """

    /// The text of an accounts file with these accounts, one a line.
    package static func text(of accounts: [LocalAccount]) -> String {
        guard !accounts.isEmpty else { return header + "\(key): []\n" }
        return header + "\(key):\n" + accounts.map { "  - \(line($0))\n" }.joined()
    }

    private static func line(_ account: LocalAccount) -> String {
        let fields =
            [("username", account.username), ("name", account.name)] + (account.locale.map { [("locale", $0)] } ?? [])
            + (account.keyboard.map { [("keyboard", $0.text)] } ?? []) + (account.pin.map { [("pin", $0.text)] } ?? [])
        return "{" + fields.map { "\($0.0): \(quoted($0.1))" }.joined(separator: ", ") + "}"
    }

    /// Between double quotes every text means itself, whatever it would be without them.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            // MarkedYAML refuses a text with many asterisks before it knows what they are.
            case "*": quoted += "\\x2A"
            case _ where scalar.isPlain: quoted.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                quoted += "\\U" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
            }
        }
        return quoted + "\""
    }
}
