import Browsers
import FoundationEssentials

extension BrowserResponse {
    /// Of all answers: nothing is stored, nothing is framed, no server learns where one came from.
    static let plain: [(name: String, value: String)] = [
        ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("X-Frame-Options", "DENY"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ]

    static func refused(_ status: Int) -> BrowserResponse {
        BrowserResponse(status: status, headers: plain, body: "")
    }

    static func redirect(to address: String) -> BrowserResponse {
        BrowserResponse(status: 303, headers: plain + [("Location", address)], body: "")
    }

    static func json(_ value: some Encodable) -> BrowserResponse {
        guard let data = try? JSONEncoder().encode(value) else { return refused(500) }
        return BrowserResponse(
            status: 200, headers: plain + [("Content-Type", "application/json")],
            body: String(decoding: data, as: UTF8.self))
    }
}
