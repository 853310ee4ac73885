/// The id by which an app asks for the details of an error, at the end of the error's text: `(Correlation ID: …)`.
public enum CorrelationID {
    private static let mark = "(Correlation ID: "

    /// The text with an id at its end.
    public static func mark(_ text: String, _ id: String) -> String { "\(text) \(mark)\(id))" }

    /// The id that a text ends with; nil: none.
    public static func at(endOf text: String) -> String? {
        guard text.last == ")", let start = text.lastIndex(of: "(") else { return nil }
        let end = text[start...].dropLast()
        return end.hasPrefix(mark) ? String(end.dropFirst(mark.count)) : nil
    }
}
