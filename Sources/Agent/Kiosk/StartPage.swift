import Browsers
import FoundationEssentials

/// The plain page that a free device shows, and a worker who has no other first page.
enum StartPage {
    private static let template = String(decoding: PackageResources.start_html, as: UTF8.self)

    /// - Parameter state: What the page shows at first, as its script asks for it later.
    static func document(token: String, state: some Encodable) -> BrowserResponse {
        let nonce = BrowserInstance.random()
        let policy =
            "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src data:; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        let body = template.split(separator: "{{", omittingEmptySubsequences: false).enumerated().map { index, part in
            guard index > 0 else { return String(part) }
            if part.hasPrefix("token}}") { return token + part.dropFirst("token}}".count) }
            if part.hasPrefix("state}}") { return json(state) + part.dropFirst("state}}".count) }
            if part.hasPrefix("nonce}}") { return nonce + part.dropFirst("nonce}}".count) }
            return "{{" + part
        }.joined()
        return BrowserResponse(
            status: 200,
            headers: BrowserResponse.plain + [
                ("Content-Type", "text/html; charset=utf-8"), ("Content-Security-Policy", policy),
            ], body: body)
    }

    /// In a document nothing of it may look like the end of a script.
    private static func json(_ value: some Encodable) -> String {
        guard let data = try? JSONEncoder().encode(value) else { return "{}" }
        return String(decoding: data, as: UTF8.self).split(separator: "<", omittingEmptySubsequences: false)
            .joined(separator: #"\u003c"#)
    }
}
