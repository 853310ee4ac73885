/// An absolute `http` or `https` address, read so strictly that no other reader can take it for another host.
///
/// Visible ASCII characters only, no user information, a host and a port that are ones. What a place demands beyond that
/// it asks of the parts.
package struct WebAddress: Hashable, Sendable {
    /// What an address may weigh at most, in bytes, where nothing else is said.
    package static let longest = 2048

    /// `http` or `https`.
    package let scheme: String
    package let site: WebHost
    /// Empty, or with a slash at its start.
    package let path: String
    /// Without the question mark; nil: none.
    package let query: String?
    /// Without the hash; nil: none.
    package let fragment: String?
    /// Whether it has only the characters that RFC 3986 allows. Browsers take a few more behind the host.
    package let isPlain: Bool

    package init?(_ text: String, longest: Int = WebAddress.longest) {
        guard text.utf8.count <= longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = AddressParts(text), parts.scheme == "https" || parts.scheme == "http", parts.userInfo == nil,
            let site = WebHost(parts.host, parts.port)
        else { return nil }
        scheme = parts.scheme
        self.site = site
        path = String(parts.path)
        query = parts.query.map(String.init)
        fragment = parts.fragment.map(String.init)
        isPlain = Self.isPlain(text)
    }

    /// In lower case; an IPv6 address without its brackets.
    package var host: String { site.name }
    /// nil: the scheme's own.
    package var port: UInt16? { site.port }

    /// Scheme, host and port, as one compares them and as browsers write them.
    package var origin: String {
        guard let port, port != (scheme == "https" ? 443 : 80) else { return "\(scheme)://\(site.text)" }
        return "\(scheme)://\(site.text):\(port)"
    }

    /// Whether there is nothing behind host and port.
    package var isBare: Bool { path.isEmpty && query == nil && fragment == nil }

    /// Whether the host can be nothing but this machine.
    package var isLoopback: Bool { site.isLoopback }

    /// Whether secrets may travel there: encrypted, or not leaving this machine.
    package var isSafe: Bool { scheme == "https" || isLoopback }

    package var pathParts: [Substring] { path.split(separator: "/") }

    /// Whether a text has only the characters that RFC 3986 allows in addresses.
    package static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }
    }
}
