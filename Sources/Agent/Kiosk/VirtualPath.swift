import WebText

/// An address of the virtual origin, taken apart.
struct VirtualPath: Equatable {
    var path: String
    /// The first value of each name.
    var query: [String: String] = [:]

    /// Nil for an address of another origin.
    init?(_ url: String, at address: String) {
        guard url.hasPrefix(address) else { return nil }
        let rest = url.dropFirst(address.count).prefix { $0 != "#" }
        // `https://baton.invalid.example.org` has the same beginning.
        guard rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?") else { return nil }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let found = parts.first.map(String.init) ?? ""
        path = found.isEmpty ? "/" : found
        guard parts.count == 2, let text = parts.last else { return }
        for pair in text.split(separator: "&").prefix(64) {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = sides.first.map(FormText.lenient), query[name] == nil else { continue }
            query[name] = sides.count == 2 ? sides.last.map(FormText.lenient) ?? "" : ""
        }
    }
}
