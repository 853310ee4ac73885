import WebText

/// An error as a provider writes it, with only those parts that cannot carry a secret.
struct OAuthError: Sendable, Equatable {
    /// Of the standard's own alphabet; empty when there was none or a wrong one.
    var code: String
    /// Entra ID's second code for `invalid_grant` and `interaction_required`.
    var suberror = ""
    /// Entra ID's numbers.
    var numbers: [Int] = []
    var claims: DemandedClaims?

    private static let mostNumbers = 16

    init(code: String, description: String? = nil) {
        self.code = Self.token(code)
        numbers = Self.numbers(in: description ?? "")
    }

    /// Reads an error's body, which may be anything.
    init(body: JSONValue?) {
        code = Self.token(body?["error"]?.string ?? "")
        suberror = Self.token(body?["suberror"]?.string ?? "")
        let listed = (body?["error_codes"]?.array ?? []).prefix(Self.mostNumbers).compactMap(\.integer)
        numbers = listed.filter { (1...99_999_999).contains($0) }.map { Int(clamping: $0) }
        claims = DemandedClaims(body?["claims"]?.string)
        if numbers.isEmpty { numbers = Self.numbers(in: body?["error_description"]?.string ?? "") }
    }

    private static func token(_ text: String) -> String {
        guard (1...64).contains(text.utf8.count) else { return "" }
        let isToken = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isToken ? text : ""
    }

    /// The numbers behind each `AADSTS`: an answer through the browser has them in the text only.
    private static func numbers(in description: String) -> [Int] {
        var found: [Int] = []
        var rest = Array(description.utf8.prefix(4096))[...]
        let mark = Array("AADSTS".utf8)
        while rest.count > mark.count, found.count < mostNumbers {
            guard rest.starts(with: mark) else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(mark.count)
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest.dropFirst(digits.count)
            if (1...8).contains(digits.count), let number = Int(String(decoding: digits, as: UTF8.self)) {
                found.append(number)
            }
        }
        return found
    }
}
