extension AccountsText {
    /// What people see of an account: never its PIN's hash.
    public struct Listed: Hashable, Sendable {
        public var username: String
        public var name: String
        public var locale: String?
        public var hasPIN: Bool
    }

    /// The accounts of a settings text, in its order.
    public static func list(_ text: String) throws(Fault) -> [Listed] {
        try Document(text).items.map { item in
            func field(_ key: String) -> String? { item.pair(key)?.value.text }
            let username = field("username") ?? ""
            return Listed(
                username: username, name: field("name") ?? username, locale: field("locale"),
                hasPIN: field("pin")?.isEmpty == false)
        }
    }
}
