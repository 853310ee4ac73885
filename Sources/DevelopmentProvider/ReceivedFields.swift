import WebText

/// Fields of a query or of an `application/x-www-form-urlencoded` body, as OAuth reads them.
struct ReceivedFields: Sendable {
    private static let most = 200

    private(set) var fields: [String: String] = [:]
    /// Names that came twice, which OAuth forbids (RFC 6749, section 3.1).
    private(set) var repeated: Set<String> = []

    init() {}

    /// Fields beyond two hundred are left out.
    init(_ text: String) {
        for (name, value) in FormText.lenientFields(text[...], limit: Self.most) {
            if fields.updateValue(value, forKey: name) != nil { repeated.insert(name) }
        }
    }

    init(fields: [String: String]) { self.fields = fields }

    /// Nil for an empty value too, which counts as left out (RFC 6749, section 3.1).
    subscript(_ name: String) -> String? {
        guard let value = fields[name], !value.isEmpty else { return nil }
        return value
    }
}
