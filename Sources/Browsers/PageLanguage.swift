import Vocabulary

/// The language that pages are told, as a worker's locale has it.
public struct PageLanguage: Sendable, Hashable {
    /// BCP 47: `de`, `de-AT`, `sr-Latn-RS`.
    public let tag: String

    /// - Parameter locale: As OpenID Connect (BCP 47) or POSIX writes it. Nil: it names no language.
    public init?(locale: String) {
        let parts = LocaleParts.of(locale)
        guard let language = parts.first, (2...3).contains(language.utf8.count), LocaleParts.isLetters(language)
        else { return nil }
        var subtags = [language.lowercased()]
        for part in parts.dropFirst().prefix(2) {
            switch part.utf8.count {
            case 4 where LocaleParts.isLetters(part) && subtags.count == 1:
                subtags.append(part.prefix(1).uppercased() + part.dropFirst().lowercased())
            case 2 where LocaleParts.isLetters(part): subtags.append(part.uppercased())
            case 3 where part.utf8.allSatisfy { (0x30...0x39).contains($0) }: subtags.append(String(part))
            default: break
            }
        }
        tag = subtags.joined(separator: "-")
    }

    /// This one first, then the language itself.
    var accepted: String {
        let language = tag.prefix { $0 != "-" }
        return language.count == tag.count ? tag : "\(tag),\(language)"
    }

    /// As ICU writes it.
    var icu: String { String(tag.map { $0 == "-" ? "_" : $0 }) }
}
