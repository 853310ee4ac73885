import Browsers
import FoundationEssentials
import Presentation
import Vocabulary

/// The plain page that a free device shows, and a worker who has no other first page.
enum StartPage {
    private static let template = String(decoding: PackageResources.start_html, as: UTF8.self)

    /// What is in the page only where the settings ask for it.
    private static let developer = String(decoding: PackageResources.developer_html, as: UTF8.self)

    /// All languages, since a worker may choose one on the page.
    private static let texts = json(
        Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0.rawValue, WorkerTexts.of($0)) }))
    private static let languages = json(Language.allCases.map { [$0.rawValue, $0.ownName] })

    /// - Parameter state: What the page shows at first, as its script asks for it later.
    static func document(token: String, state: some Encodable, look: StartPageLook) -> BrowserResponse {
        let nonce = BrowserInstance.random()
        let policy =
            "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src data:; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        let values = [
            "token": token, "nonce": nonce, "state": json(state), "texts": texts, "languages": languages,
            "accent": look.accent.text, "ink": look.accent.ink.text, "night-accent": look.nightAccent.text,
            "night-ink": look.nightAccent.ink.text, "logo": look.logo,
            "developer": look.isForDevelopers ? filled(developer, ["nonce": nonce]) : "",
        ]
        return BrowserResponse(
            status: 200,
            headers: BrowserResponse.plain + [
                ("Content-Type", "text/html; charset=utf-8"), ("Content-Security-Policy", policy),
            ], body: filled(template, values))
    }

    private static func filled(_ template: String, _ values: [String: String]) -> String {
        template.split(separator: "{{", omittingEmptySubsequences: false).enumerated().map { index, part in
            guard index > 0, let end = part.firstRange(of: "}}"), let value = values[String(part[..<end.lowerBound])]
            else { return index > 0 ? "{{" + part : String(part) }
            return value + part[end.upperBound...]
        }.joined()
    }

    /// In a document nothing of it may look like the end of a script.
    private static func json(_ value: some Encodable) -> String {
        guard let data = try? JSONEncoder().encode(value) else { return "{}" }
        return String(decoding: data, as: UTF8.self).split(separator: "<", omittingEmptySubsequences: false)
            .joined(separator: #"\u003c"#)
    }
}
