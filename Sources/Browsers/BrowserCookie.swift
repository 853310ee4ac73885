/// A cookie as a browser tells of it, without its value (RFC 6265, section 5.4).
protocol BrowserCookie {
    /// With a dot in front when it is sent to subdomains too.
    var domain: String { get }
    var path: String { get }
    var secure: Bool { get }
}

extension BrowserCookie {
    /// Whether a request to this address would carry it.
    func isSent(to address: PageAddress) -> Bool {
        if secure && !address.isSecure { return false }
        return isOf(host: address.host) && covers(path: address.path)
    }

    private func isOf(host: String) -> Bool {
        let domain = domain.lowercased()
        guard domain.hasPrefix(".") else { return domain == host }
        return host == domain.dropFirst() || host.hasSuffix(domain)
    }

    /// `/a` covers `/a` and `/a/b`, not `/ab`.
    private func covers(path: String) -> Bool {
        let folder = self.path.hasSuffix("/") ? self.path : self.path + "/"
        return path == self.path || path.hasPrefix(folder)
    }
}
