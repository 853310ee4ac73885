import Secrets
import WebText

/// The access tokens of one worker, in memory only.
struct TokenCache: Sendable {
    private static let most = 64
    /// How many are remembered for their end after a newer one has taken their place.
    private static let mostReplaced = 64

    private struct Entry {
        /// What was asked for, in the spelling of `ScopeSet.key`.
        var asked: Set<String>
        var granted: Set<String>
        /// The claims request that it came with. It answers no other, but a request without claims.
        var claims: JSONValue?
        var token: AccessToken

        func answers(_ scopes: Set<String>, _ claims: JSONValue?) -> Bool {
            guard claims == nil || self.claims == claims else { return false }
            if scopes.isSubset(of: granted) { return true }
            // Beside what an app names, a page asks for what concerns the sign-in itself.
            return scopes.isSubset(of: asked) && asked.subtracting(scopes).isSubset(of: ScopeSet.reserved)
        }

        /// Whether an app that gets the other one has no use for this one.
        func isReplaced(by other: Entry) -> Bool { claims == nil || claims == other.claims }
    }

    private var entries: [Entry] = []
    /// No answer any more, but an app that was given one has it until it ends.
    private var replaced: [AccessToken] = []

    /// All that were given out and are still good, each once.
    func tokens(now: Int64) -> [AccessToken] {
        var tokens: [AccessToken] = []
        for token in entries.map(\.token) + replaced
        where token.expires > now && !tokens.contains(where: { $0.token == token.token }) {
            tokens.append(token)
        }
        return tokens
    }

    /// A token that was given for these scopes, or for more, and that is good for at least `left` seconds.
    func token(for scopes: ScopeSet, claims: JSONValue? = nil, now: Int64, left: Int64) -> AccessToken? {
        let wanted = scopes.key
        let usable = entries.filter { $0.token.expires &- now >= left && $0.answers(wanted, claims) }
        // Of several that end at once the newest.
        return usable.reversed().max { $0.token.expires < $1.token.expires }?.token
    }

    /// - Returns: Tokens that are remembered no longer, for which the provider has to be told at once.
    mutating func store(
        _ token: AccessToken, asked: ScopeSet, claims: JSONValue? = nil, now: Int64
    ) -> [AccessToken] {
        let entry = Entry(
            asked: asked.key, granted: ScopeSet(granted: token.grantedScopes).key, claims: claims, token: token)
        replaced.removeAll { $0.expires <= now }
        entries.removeAll { $0.token.expires <= now }
        replace { $0.asked == entry.asked && $0.isReplaced(by: entry) }
        add(entry)
        return forgotten()
    }

    /// Takes over what a newer sign-in brought: it goes before whatever would answer the same.
    ///
    /// - Returns: See `store`.
    mutating func add(newer: TokenCache) -> [AccessToken] {
        for entry in newer.entries {
            replace { $0.isReplaced(by: entry) && $0.answers(entry.asked, nil) }
            add(entry)
        }
        return remember(newer.replaced)
    }

    /// Remembers tokens that are no answer, but that an app was given.
    ///
    /// - Returns: See `store`.
    mutating func remember(_ tokens: [AccessToken]) -> [AccessToken] {
        replaced += tokens
        return forgotten()
    }

    private mutating func replace(_ isReplaced: (Entry) -> Bool) {
        replaced += entries.filter(isReplaced).map(\.token)
        entries.removeAll(where: isReplaced)
    }

    private mutating func add(_ entry: Entry) {
        entries.append(entry)
        if entries.count > Self.most, let first = entries.indices.min(by: { expires(at: $0) < expires(at: $1) }) {
            replaced.append(entries.remove(at: first).token)
        }
    }

    private mutating func forgotten() -> [AccessToken] {
        guard replaced.count > Self.mostReplaced else { return [] }
        replaced.sort { $0.expires > $1.expires }
        defer { replaced.removeLast(replaced.count - Self.mostReplaced) }
        return Array(replaced[Self.mostReplaced...])
    }

    private func expires(at index: Int) -> Int64 { entries[index].token.expires }

    mutating func removeAll() {
        entries = []
        replaced = []
    }
}
