import Baton

/// Scheme, host and port of an address, as one compares them.
struct CallOrigin: Hashable, Sendable {
    let text: String

    /// A token is not sent there.
    struct Refused: Error, Equatable {
        var origin: String
        var listed: [String]
    }

    /// Nil for what is neither `https` nor `http` on loopback.
    init?(_ url: String) {
        guard SignInStep.isWebAddress(url), let colon = url.firstIndex(of: ":") else { return nil }
        let scheme = url[..<colon].lowercased()
        var authority = url[colon...].dropFirst(3).prefix { !"/?#\\".contains($0) }.lowercased()
        // The scheme's own port says nothing, and neither does one that is left out.
        for ending in [":", scheme == "https" ? ":443" : ":80"] where authority.hasSuffix(ending) {
            authority.removeLast(ending.count)
        }
        guard !authority.isEmpty else { return nil }
        text = "\(scheme)://\(authority)"
    }

    /// - Parameter listed: As the settings have them.
    func check(listed: [String]) throws(Refused) {
        guard listed.contains(where: { CallOrigin($0) == self }) else { throw Refused(origin: text, listed: listed) }
    }
}
