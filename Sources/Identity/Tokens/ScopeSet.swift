/// Scopes of one request, in the order in which they were asked for (RFC 6749, section 3.3).
struct ScopeSet: Sendable {
    /// Scopes that say something about the sign-in itself; some providers never list them as granted.
    static let reserved: Set<String> = ["openid", "profile", "email", "address", "phone", "offline_access"]
    private static let most = 128
    private static let longest = 512

    private(set) var list: [String] = []

    /// - Throws: `misconfigured` when one is no scope token or there are too many.
    init(_ scopes: [String]) throws(IdentityError) {
        guard scopes.count <= Self.most, scopes.allSatisfy(Self.isScope) else {
            throw IdentityError(.misconfigured(what: "scopes"))
        }
        add(scopes)
    }

    /// What a provider lists; anything that is no scope is left out.
    init(granted: [String]) {
        add(granted.lazy.filter(Self.isScope).prefix(Self.most))
    }

    mutating func add(_ scopes: some Sequence<String>) {
        for scope in scopes where !list.contains(scope) { list.append(scope) }
    }

    var text: String { list.joined(separator: " ") }

    /// The same for each order and spelling of the same scopes.
    var key: Set<String> { Set(list.map { $0.lowercased() }) }

    /// Those of these scopes that are not among the granted ones.
    ///
    /// Entra ID lists a scope of Microsoft Graph without the address that it may be asked for with, and `.default`
    /// under the names that it stands for.
    func declined(granted: ScopeSet) -> [String] {
        let granted = Set(granted.list.map(Self.shortName))
        return list.filter { scope in
            !Self.reserved.contains(scope.lowercased()) && !scope.hasSuffix("/.default") && scope != ".default"
                && !granted.contains(Self.shortName(scope))
        }
    }

    private static func shortName(_ scope: String) -> String {
        let lower = scope.lowercased()
        let graph = "https://graph.microsoft.com/"
        return lower.hasPrefix(graph) ? String(lower.dropFirst(graph.count)) : lower
    }

    private static func isScope(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c }
    }
}
