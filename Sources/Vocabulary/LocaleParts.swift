/// The parts of a locale as OpenID Connect (BCP 47) or POSIX writes it: language, then script, territory and variants, without encoding
/// and modifier.
package enum LocaleParts {
    package static func of(_ locale: String) -> [Substring] {
        locale.prefix { $0 != "." && $0 != "@" }.split(whereSeparator: { "-_".contains($0) })
    }

    /// Whether all of it is Latin letters, as in languages, scripts and most territories.
    package static func isLetters(_ part: Substring) -> Bool {
        part.utf8.allSatisfy { (0x61...0x7a).contains($0 | 0x20) }
    }
}
