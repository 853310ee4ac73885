internal import Secrets

/// The access tokens of one worker, in memory only.
struct TokenCache: Sendable {
    private static let most = 64

    private struct Entry {
        /// What was asked for, in the spelling of `ScopeSet.key`.
        var asked: Set<String>
        var granted: Set<String>
        /// The claims request that it came with. It answers no other, but whoever asks for no claims.
        var claims: JSONValue?
        var token: AccessToken

        func answers(_ scopes: Set<String>, _ claims: JSONValue?) -> Bool {
            guard claims == nil || self.claims == claims else { return false }
            if scopes.isSubset(of: granted) { return true }
            // Beside what an app names, a page asks for what concerns the sign-in itself.
            return scopes.isSubset(of: asked) && asked.subtracting(scopes).isSubset(of: ScopeSet.reserved)
        }

        /// Whether whoever gets the other one has no use for this one.
        func isReplaced(by other: Entry) -> Bool { claims == nil || claims == other.claims }
    }

    private var entries: [Entry] = []

    /// Those that are still good.
    func tokens(now: Int64) -> [Secret] { entries.map(\.token).filter { $0.expires > now }.map(\.token) }

    /// A token that was given for these scopes, or for more, and that is good for at least `left` seconds.
    func token(for scopes: ScopeSet, claims: JSONValue? = nil, now: Int64, left: Int64) -> AccessToken? {
        let wanted = scopes.key
        let usable = entries.filter { $0.token.expires &- now >= left && $0.answers(wanted, claims) }
        // Of several that end at once the newest.
        return usable.reversed().max { $0.token.expires < $1.token.expires }?.token
    }

    mutating func store(_ token: AccessToken, asked: ScopeSet, claims: JSONValue? = nil, now: Int64) {
        let entry = Entry(
            asked: asked.key, granted: ScopeSet(granted: token.grantedScopes).key, claims: claims, token: token)
        entries.removeAll { $0.asked == entry.asked && $0.isReplaced(by: entry) || $0.token.expires <= now }
        add(entry)
    }

    /// Takes over what a newer sign-in brought: it goes before whatever would answer the same.
    mutating func add(newer: TokenCache) {
        for entry in newer.entries {
            entries.removeAll { $0.isReplaced(by: entry) && $0.answers(entry.asked, nil) }
            add(entry)
        }
    }

    private mutating func add(_ entry: Entry) {
        entries.append(entry)
        if entries.count > Self.most, let first = entries.indices.min(by: { expires(at: $0) < expires(at: $1) }) {
            entries.remove(at: first)
        }
    }

    private func expires(at index: Int) -> Int64 { entries[index].token.expires }

    mutating func removeAll() { entries = [] }
}
