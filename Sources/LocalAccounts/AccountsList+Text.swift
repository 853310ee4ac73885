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
        return "{" + fields.map { "\($0.0): \(MarkedYAML.quoted($0.1))" }.joined(separator: ", ") + "}"
    }
}
