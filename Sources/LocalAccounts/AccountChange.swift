/// What a reading of the settings has made of one local account.
public struct AccountChange: Sendable, Hashable {
    public enum Kind: String, Sendable { case added, changed, removed }

    public let username: String
    public let kind: Kind
    /// Of a changed one: `name`, `locale`, `keyboard`, `pin`.
    public let fields: [String]

    /// What differs between two lists of accounts, by user name.
    public static func all(from old: [LocalAccount], to new: [LocalAccount]) -> [AccountChange] {
        func byName(_ accounts: [LocalAccount]) -> [String: LocalAccount] {
            Dictionary(accounts.map { ($0.username, $0) }) { first, _ in first }
        }
        let (old, new) = (byName(old), byName(new))
        return Set(old.keys).union(new.keys).sorted().compactMap { username in
            switch (old[username], new[username]) {
            case (nil, _): AccountChange(username: username, kind: .added, fields: [])
            case (_, nil): AccountChange(username: username, kind: .removed, fields: [])
            case (let before?, let after?):
                before == after
                    ? nil : AccountChange(username: username, kind: .changed, fields: before.differences(from: after))
            }
        }
    }
}

extension LocalAccount {
    fileprivate func differences(from other: LocalAccount) -> [String] {
        [
            ("name", name == other.name), ("locale", locale == other.locale), ("keyboard", keyboard == other.keyboard),
            ("pin", pin == other.pin),
        ].filter { !$0.1 }.map(\.0)
    }
}
