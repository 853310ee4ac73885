extension GetCookies.Cookie {
    /// Whether a request to this address would carry it.
    func isSent(to address: PageAddress) -> Bool {
        if secure && !address.isSecure { return false }
        return isOf(host: address.host) && covers(path: address.path)
    }

    private func isOf(host: String) -> Bool {
        guard domain.hasPrefix(".") else { return domain == host }
        return host == domain.dropFirst() || host.hasSuffix(domain)
    }

    /// `/a` covers `/a` and `/a/b`, not `/ab`.
    private func covers(path: String) -> Bool {
        let folder = self.path.hasSuffix("/") ? self.path : self.path + "/"
        return path == self.path || path.hasPrefix(folder)
    }
}
