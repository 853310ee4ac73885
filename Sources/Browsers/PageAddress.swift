import WebText

/// Where an http or https page lies: what two requests must have in common to be to the same address.
package struct PageAddress: Hashable, Sendable {
    /// `https://host` or `https://host:8443`, in lower case, without a user's name and without the scheme's own port.
    package let origin: String
    let host: String
    /// At least `/`.
    let path: String

    /// Nil for every other scheme. Of a host that `WebAddress` would refuse a page can come too, and must be judged.
    package init?(_ url: String) {
        guard let parts = AddressParts(url), parts.scheme == "https" || parts.scheme == "http" else { return nil }
        host = parts.host
        guard !host.isEmpty || parts.port != nil else { return nil }
        let ordinaryPort = parts.scheme == "https" ? "443" : "80"
        let port = parts.port.map { $0 == ordinaryPort ? "" : ":\($0.lowercased())" } ?? ""
        origin = "\(parts.scheme)://\(host)\(port)"
        path = parts.path.isEmpty ? "/" : String(parts.path)
    }

    var text: String { origin + path }
    var isSecure: Bool { origin.hasPrefix("https:") || host == "localhost" || host.hasSuffix(".localhost") }

    /// The value of `state` in a URL's query, as it stands there.
    static func state(of url: String) -> Substring? {
        AddressParts(url)?.query?.split(separator: "&").first { $0.hasPrefix("state=") }?.dropFirst("state=".count)
    }
}
