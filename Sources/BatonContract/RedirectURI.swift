import WebText

/// Which redirect URIs an app may have: RFC 8252, sections 7.1 to 7.3.
public enum RedirectURI {
    /// One for each thing that an administrator or developer can do about it.
    public enum Fault: Error, Sendable, CaseIterable {
        case length, characters, fragment, scheme, schemeCharacters, outOfBand, reserved, form, userName, host, port
        case loopback
    }

    /// Accepts `https`, `http` on a loopback host, and private-use schemes as `scheme://host` or `scheme:/path`.
    public static func check(_ text: String) throws(Fault) {
        guard (1...2048).contains(text.utf8.count) else { throw .length }
        guard WebAddress.isPlain(text) else { throw .characters }
        guard !text.contains("#") else { throw .fragment }
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex,
            text[..<colon].allSatisfy({ !"/?".contains($0) })
        else { throw .scheme }
        let scheme = text[..<colon].lowercased()
        guard let first = scheme.utf8.first, isLetter(first),
            scheme.utf8.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || "+.-".utf8.contains($0) })
        else { throw .schemeCharacters }
        guard scheme != "urn" else { throw .outOfBand }
        guard !reserved.contains(scheme) else { throw .reserved }
        guard let parts = AddressParts(text) else {
            // An app's own scheme has no naming authority, so RFC 8252 writes scheme:/path.
            let rest = text[colon...].dropFirst()
            guard scheme != "http", scheme != "https", rest.hasPrefix("/"), rest.utf8.count > 1 else { throw .form }
            return
        }
        guard !parts.authority.isEmpty else { throw .host }
        guard parts.userInfo == nil else { throw .userName }
        guard let host = WebHost(parts.authority) else { throw parts.authority.contains(":") ? .port : .host }
        guard scheme != "http" || host.isCommonLoopback else { throw .loopback }
    }

    /// Schemes that browsers and desktops give a meaning of their own.
    private static let reserved: Set<String> = [
        "about", "blob", "chrome", "chrome-extension", "data", "file", "filesystem", "ftp", "ftps", "geo", "intent",
        "irc", "javascript", "magnet", "mailto", "moz-extension", "news", "resource", "sftp", "sip", "sips", "sms",
        "smb", "ssh", "tel", "vbscript", "view-source", "ws", "wss", "xmpp",
    ]

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte) }
}

extension RedirectURI.Fault: CustomStringConvertible {
    /// What is wrong, to stand behind the URI.
    public var description: String {
        switch self {
        case .length: "must have 1 to 2048 characters"
        case .characters: "is not a URI: it has invalid characters"
        case .fragment: "must have no fragment, which begins with #"
        case .scheme: "has no scheme: it must begin with one, such as msauth.org.example.till://auth"
        case .schemeCharacters: "has an invalid scheme; use letters, digits and + . -, beginning with a letter"
        case .outOfBand: "asks for a code to be copied by hand, which is not supported"
        case .reserved: "has a scheme with another meaning; use a scheme of the app's own"
        case .form: "must have the form scheme://host"
        case .userName: "must not contain a user name"
        case .host: "has no host or an invalid host"
        case .port: "has an invalid port; use 1 to 65535"
        case .loopback: "has http, which is for 127.0.0.1, [::1] and localhost only; elsewhere it must be https"
        }
    }
}
