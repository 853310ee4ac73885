import Secrets
import WebText

/// What a token says that was verified before, read again. Nothing is checked here.
enum PlainClaims {
    /// A JSON object as text; nil: the token has none.
    static func text(of token: Secret) -> String? {
        let payload = token.withUnsafeBytes { bytes in
            let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            return parts.count == 3 ? Base64URL.decode(parts[1]) : nil
        }
        guard let payload, let text = String(validating: payload, as: UTF8.self), !text.contains("\0") else {
            return nil
        }
        return text
    }

    static func value(_ name: String, of token: Secret) -> JSONValue? {
        text(of: token).flatMap { JSONValue($0.utf8) }?[name]
    }
}
