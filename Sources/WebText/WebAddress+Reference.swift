extension WebAddress {
    /// The address that a reference means where it stands at `base` (RFC 3986, section 5.2); nil: none.
    ///
    /// It is read strictly: what has a scheme has a host too, so that `http:g` means nothing. Host and port stay as they
    /// were written, and the fragment is the reference's own.
    package static func resolve(
        _ reference: String, from base: String, longest: Int = WebAddress.longest
    ) -> String? {
        guard reference.utf8.count <= longest, reference.utf8.allSatisfy(isReferenceByte),
            WebAddress(base, longest: longest) != nil, let parts = AddressParts(base),
            let text = parts.resolving(reference), WebAddress(text, longest: longest) != nil
        else { return nil }
        return text
    }

    /// Browsers take a backslash for a slash, and would find another host behind two.
    private static func isReferenceByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\\")
    }
}

extension AddressParts {
    /// RFC 3986, section 5.2.2; nil when the reference has a scheme and no `//`.
    fileprivate func resolving(_ reference: String) -> String? {
        if reference.utf8.prefix(while: { !"/?#".utf8.contains($0) }).contains(UInt8(ascii: ":")) {
            return AddressParts(reference)?.plainText
        }
        if reference.utf8.starts(with: "//".utf8) { return AddressParts("\(scheme):\(reference)")?.plainText }
        let (whole, fragment) = Self.cut(reference[...], at: "#")
        let (path, query) = Self.cut(whole, at: "?")
        if path.isEmpty { return text(self.path, query ?? self.query, fragment) }
        return text(Self.withoutDots(merged(path)), query, fragment)
    }

    private var plainText: String { text(Self.withoutDots(path), query, fragment) }

    private func text(_ path: Substring, _ query: Substring?, _ fragment: Substring?) -> String {
        "\(scheme)://\(authority)\(path)" + (query.map { "?\($0)" } ?? "") + (fragment.map { "#\($0)" } ?? "")
    }

    /// The path of a reference, behind the last slash of this one unless it has its own at the start: section 5.2.3.
    private func merged(_ path: Substring) -> Substring {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        guard let slash = self.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "/\(path)" }
        return self.path[...slash] + path
    }

    /// `remove_dot_segments` of section 5.2.4, for a path that is empty or has a slash at its start.
    private static func withoutDots(_ path: Substring) -> Substring {
        guard !path.isEmpty else { return path }
        var kept: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            switch segment {
            case ".": break
            case "..": _ = kept.popLast()
            default:
                kept.append(segment)
                continue
            }
            // Dots at the end stand for a folder, whose slash stays.
            if index == segments.count - 1 { kept.append("") }
        }
        return "/" + kept.joined(separator: "/")[...]
    }
}
