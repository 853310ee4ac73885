import FoundationEssentials
import WebText

extension HTTPResponse {
    /// The body of a successful answer; every other status is the error that it stands for.
    ///
    /// - Parameter name: What was asked for, such as `the discovery document`.
    func document(_ name: String, correlationID: String) throws(IdentityError) -> [UInt8] {
        switch status {
        case 200: return body
        case 429, 500...: throw IdentityError(.unavailable(status: status), correlationID: correlationID)
        case 400..<500:
            throw IdentityError(
                .rejected(code: errorCode, status: status), correlationID: correlationID, errorCodes: errorNumbers)
        default:
            throw IdentityError(
                .invalidAnswer(what: "\(name) came with an unexpected status"), correlationID: correlationID)
        }
    }

    /// For how many seconds the document is fresh: what `Cache-Control` says, within reason; an hour without it.
    var lifetime: Int64 {
        let shortest: Int64 = 5 * 60
        guard let control = header("cache-control") else { return 3600 }
        for part in control.lowercased().split(separator: ",").prefix(32) {
            let directive = part.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
            if directive == "no-store" || directive == "no-cache" { return shortest }
            guard directive.hasPrefix("max-age=") else { continue }
            let digits = directive.dropFirst("max-age=".count)
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
            return min(max(Int64(digits) ?? .max, shortest), 24 * 3600)
        }
        return 3600
    }

    /// The OAuth error code, when it is one by its form (RFC 6749, section 5.2, without white space); else empty.
    private var errorCode: String {
        guard let code = JSONValue(body)?["error"]?.string, (1...64).contains(code.utf8.count),
            code.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") })
        else { return "" }
        return code
    }

    /// Entra ID's numbers.
    private var errorNumbers: [Int] {
        (JSONValue(body)?["error_codes"]?.array ?? []).prefix(8).compactMap { $0.integer.map(Int.init(clamping:)) }
    }
}

extension IdentityError {
    /// An id for a request without one.
    static func freshCorrelationID() -> String { UUID().uuidString.lowercased() }
}
