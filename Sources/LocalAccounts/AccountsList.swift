/// A list of accounts in YAML: how it is read, with each fault in its place.
package struct AccountsList: Sendable {
    package private(set) var accounts: [LocalAccount] = []
    package private(set) var faults: [MarkedYAML.Fault] = []
    /// Accounts that are right and still cannot sign in.
    package private(set) var warnings: [MarkedYAML.Fault] = []

    private static let fields = ["username", "name", "locale", "keyboard", "pin"]

    /// Reads the value of a key.
    package init(_ node: MarkedYAML, key: String) {
        read(node, key: key)
    }

    /// Reads the whole text of an accounts file.
    package init(document text: String) {
        let tree: MarkedYAML?
        do throws(MarkedYAML.Faults) {
            (tree, faults) = try MarkedYAML.parseReportingFaults(text)
        } catch {
            faults = error.all
            return
        }
        read(document: tree)
    }

    private mutating func read(document tree: MarkedYAML?) {
        let key = Self.key
        guard let tree else { return refuse(1, key, "is missing") }
        guard case .map(let pairs) = tree.content else {
            return refuse(tree.line, nil, "the file must consist of keys")
        }
        for pair in pairs where pair.key != key { refuse(pair.line, pair.key.printable, "unknown key") }
        if let pair = pairs.first(where: { $0.key == key }) {
            let isHidden = faults.contains { $0.hidesValue && $0.key == key }
            // A list that is cut off must not be taken for one without accounts.
            if pair.value.isNull, !isHidden { refuse(pair.line, key, "has no value; without accounts it is []") }
            if !pair.value.isNull { read(pair.value, key: key) }
        } else {
            refuse(tree.line, key, "is missing")
        }
        faults.sort { $0.line < $1.line }
    }

    private mutating func refuse(_ line: Int, _ key: String?, _ message: String) {
        faults.append(MarkedYAML.Fault(line: line, key: key, message: message))
    }

    private mutating func read(_ node: MarkedYAML, key: String) {
        guard case .list(let items) = node.content else { return refuse(node.line, key, "must be a list of accounts") }
        var lines: [String: Int] = [:]
        for (index, item) in items.enumerated() {
            let place = "\(key)[\(index)]"
            guard let account = account(item, place: place) else { continue }
            if let first = lines[account.username] {
                refuse(
                    item.line, "\(place).username", "'\(account.username)' is there twice, first in line \(first)")
                continue
            }
            lines[account.username] = item.line
            if account.pin == nil {
                let advice = "has no PIN and cannot sign in; batonctl account set-pin gives one"
                warnings.append(
                    MarkedYAML.Fault(line: item.line, key: place, message: "'\(account.username)' \(advice)"))
            }
            accounts.append(account)
        }
    }

    private mutating func account(_ item: MarkedYAML, place: String) -> LocalAccount? {
        guard case .map(let pairs) = item.content else {
            refuse(item.line, place, "must be an account with username, name and pin")
            return nil
        }
        let before = faults.count
        var texts: [String: String] = [:]
        for pair in pairs {
            if !Self.fields.contains(pair.key) {
                refuse(pair.line, "\(place).\(pair.key.printable)", "unknown key")
            } else if let text = pair.value.text {
                texts[pair.key] = text
            } else {
                refuse(pair.line, "\(place).\(pair.key)", pair.value.isNull ? "has no value" : "must be one value")
            }
        }
        for field in ["username", "name"] where item.pair(field) == nil {
            refuse(item.line, "\(place).\(field)", "is missing")
        }
        let hash = texts["pin"].flatMap(PINHash.init(text:))
        if texts["pin"] != nil, hash == nil {
            // The text is not shown: it may be the PIN itself.
            refuse(
                item.pair("pin")?.line ?? item.line, "\(place).pin",
                "is not a PIN hash; batonctl hash-pin makes one")
        }
        guard let username = texts["username"], let name = texts["name"] else { return nil }
        do throws(LocalAccount.Fault) {
            let account = try LocalAccount(
                username: username, name: name, locale: texts["locale"], keyboard: texts["keyboard"], pin: hash)
            return faults.count == before ? account : nil
        } catch {
            let field =
                switch error {
                case .username: "username"
                case .name: "name"
                case .locale: "locale"
                case .keyboard: "keyboard"
                }
            refuse(item.pair(field)?.line ?? item.line, "\(place).\(field)", error.description)
            return nil
        }
    }
}
