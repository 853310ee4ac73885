import Glibc
import Vocabulary

/// The environment by which programs of the system speak a worker's language (locale(7), gettext(1)).
enum ProgramLanguage {
    /// - Parameters:
    ///   - locale: As OpenID Connect or POSIX writes it; empty: not known.
    ///   - own: The agent's own environment, of which programs get the variables of the language.
    ///   - isThere: Whether the system has a locale of that name.
    /// - Returns: Nothing where the locale names no language. Where the system does not have it, `LANGUAGE` alone, which asks for
    ///   translations and for no way to write numbers.
    static func environment(
        locale: String, own: [String: String], isThere: (String) -> Bool = isThere
    ) -> [String: String] {
        let parts = LocaleParts.of(locale)
        guard let first = parts.first, (2...3).contains(first.utf8.count), LocaleParts.isLetters(first) else {
            return [:]
        }
        let language = first.lowercased()
        // A script stands between the two in BCP 47, and nowhere in POSIX.
        let territory = parts.dropFirst().first {
            $0.utf8.count == 2 && LocaleParts.isLetters($0)
        }?.uppercased()
        let names = [territory.map { "\(language)_\($0)" }, language].compactMap(\.self)
        var environment = ["LANGUAGE": names.joined(separator: ":")]
        let wanted = territory ?? territories[language] ?? language.uppercased()
        let name = "\(language)_\(wanted).UTF-8"
        guard isThere(name) else { return environment }
        environment["LANG"] = name
        // They would go before it.
        for (variable, value) in own where variable.hasPrefix("LC_") && !value.isEmpty {
            environment[variable] = name
        }
        return environment
    }

    /// Where it is not the language's own name.
    private static let territories = [
        "en": "US", "cs": "CZ", "da": "DK", "el": "GR", "et": "EE", "ja": "JP", "ko": "KR", "nb": "NO",
        "sl": "SI", "sq": "AL",
        "sr": "RS", "sv": "SE", "uk": "UA", "zh": "CN", "vi": "VN", "he": "IL", "hi": "IN", "ar": "EG",
        "fa": "IR", "be": "BY",
    ]

    /// How letters, times and messages are written, as <locale.h> numbers them; its macros do not come here.
    private static let categories: CInt = 1 << 0 | 1 << 2 | 1 << 5

    private static func isThere(_ name: String) -> Bool {
        guard let locale = newlocale(categories, name, nil) else { return false }
        freelocale(locale)
        return true
    }
}
