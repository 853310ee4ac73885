internal import Secrets

/// The access tokens of one worker, in memory only.
struct TokenCache: Sendable {
    private static let most = 64

    private struct Entry {
        /// What was asked for, in the spelling of `ScopeSet.key`.
        var asked: Set<String>
        var granted: Set<String>
        var token: AccessToken
    }

    private var entries: [Entry] = []

    /// Those that are still good.
    func tokens(now: Int64) -> [Secret] { entries.map(\.token).filter { $0.expires > now }.map(\.token) }

    /// A token that was given for these scopes, or for more, and that is good for at least `left` seconds.
    func token(for scopes: ScopeSet, now: Int64, left: Int64) -> AccessToken? {
        let wanted = scopes.key
        let usable = entries.filter { entry in
            entry.token.expires &- now >= left && (entry.asked == wanted || wanted.isSubset(of: entry.granted))
        }
        return usable.max { $0.token.expires < $1.token.expires }?.token
    }

    mutating func store(_ token: AccessToken, asked: ScopeSet, now: Int64) {
        entries.removeAll { $0.asked == asked.key || $0.token.expires <= now }
        entries.append(Entry(asked: asked.key, granted: ScopeSet(granted: token.grantedScopes).key, token: token))
        if entries.count > Self.most, let first = entries.indices.min(by: { expires(at: $0) < expires(at: $1) }) {
            entries.remove(at: first)
        }
    }

    private func expires(at index: Int) -> Int64 { entries[index].token.expires }

    mutating func removeAll() { entries = [] }
}
