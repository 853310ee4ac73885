/// Where an http or https page lies: what two requests must have in common to be to the same address.
package struct PageAddress: Hashable, Sendable {
    /// `https://host` or `https://host:8443`, in lower case, without a user's name and without the scheme's own port.
    package let origin: String
    let host: String
    /// At least `/`.
    let path: String

    /// Nil for every other scheme.
    package init?(_ url: String) {
        guard let mark = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<mark.lowerBound].lowercased()
        guard scheme == "https" || scheme == "http" else { return nil }
        let rest = url[mark.upperBound...].prefix { $0 != "?" && $0 != "#" }
        var authority = rest.prefix { $0 != "/" }
        let path = rest[authority.endIndex...]
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        guard !authority.isEmpty else { return nil }
        var place = authority.lowercased()
        let ordinaryPort = scheme == "https" ? ":443" : ":80"
        if place.hasSuffix(ordinaryPort) { place.removeLast(ordinaryPort.count) }
        origin = "\(scheme)://\(place)"
        // An IPv6 address has colons of its own, in brackets.
        if place.hasPrefix("["), let end = place.firstIndex(of: "]") {
            host = String(place[...end])
        } else {
            host = String(place.prefix { $0 != ":" })
        }
        self.path = path.isEmpty ? "/" : String(path)
    }

    var text: String { origin + path }
    var isSecure: Bool { origin.hasPrefix("https:") || host == "localhost" || host.hasSuffix(".localhost") }

    /// The value of `state` in a URL's query, as it stands there.
    static func state(of url: String) -> Substring? {
        guard let mark = url.firstIndex(of: "?") else { return nil }
        let query = url[url.index(after: mark)...].prefix { $0 != "#" }
        return query.split(separator: "&").first { $0.hasPrefix("state=") }?.dropFirst("state=".count)
    }
}
