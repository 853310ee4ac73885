internal import LocalAccounts

/// Reads the accounts of `identity` of the kind `local`.
enum AccountsReader {
    static let key = "identity.accounts"
    static let leastKey = "identity.least-pin-length"
    static let keys = [key, leastKey]
    private static let fields = ["username", "name", "locale", "pin"]

    static func read(from reader: inout SettingsReader) -> [LocalAccount] {
        guard let node = reader.structure(key), !node.isNull else { return [] }
        guard case .list(let items) = node.content else {
            reader.refuse(line: node.line, key: key, "must be a list of accounts")
            return []
        }
        var accounts: [LocalAccount] = []
        var lines: [String: Int] = [:]
        for (index, item) in items.enumerated() {
            let place = "\(key)[\(index)]"
            guard let account = account(item, place: place, reader: &reader) else { continue }
            if let first = lines[account.username] {
                reader.refuse(
                    line: item.line, key: "\(place).username",
                    "'\(account.username)' is there twice, first in line \(first)")
                continue
            }
            lines[account.username] = item.line
            if account.pin == nil {
                reader.warn(
                    line: item.line, key: place,
                    "'\(account.username)' has no PIN and cannot sign in; batonctl account set-pin gives one")
            }
            accounts.append(account)
        }
        return accounts
    }

    private static func account(_ item: MarkedYAML, place: String, reader: inout SettingsReader) -> LocalAccount? {
        guard case .map(let pairs) = item.content else {
            reader.refuse(line: item.line, key: place, "must be an account with username, name and pin")
            return nil
        }
        var right = true
        func refuse(_ line: Int, _ field: String, _ message: String, _ reader: inout SettingsReader) {
            reader.refuse(line: line, key: "\(place).\(field)", message)
            right = false
        }
        var texts: [String: String] = [:]
        for pair in pairs {
            if !fields.contains(pair.key) {
                refuse(pair.line, SettingsText.printable(pair.key), "unknown key", &reader)
            } else if let text = pair.value.text {
                texts[pair.key] = text
            } else {
                refuse(pair.line, pair.key, pair.value.isNull ? "has no value" : "must be one value", &reader)
            }
        }
        for field in ["username", "name"] where item.pair(field) == nil {
            refuse(item.line, field, "is missing", &reader)
        }
        let hash = texts["pin"].flatMap(PINHash.init(text:))
        if texts["pin"] != nil, hash == nil {
            // The text is not shown: it may be the PIN itself.
            refuse(
                item.pair("pin")?.line ?? item.line, "pin", "is not a PIN hash; batonctl hash-pin makes one", &reader)
        }
        guard let username = texts["username"], let name = texts["name"] else { return nil }
        do throws(LocalAccount.Fault) {
            let account = try LocalAccount(username: username, name: name, locale: texts["locale"], pin: hash)
            return right ? account : nil
        } catch {
            let field =
                switch error {
                case .username: "username"
                case .name: "name"
                case .locale: "locale"
                }
            reader.refuse(
                line: item.pair(field)?.line ?? item.line, key: "\(place).\(field)", error.description)
            return nil
        }
    }
}
