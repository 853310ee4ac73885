/// Colour and weight for people, nothing where it would only be noise.
struct Style: Sendable {
    let isColored: Bool

    static let plain = Style(isColored: false)

    func bold(_ text: String) -> String { wrap(text, "1") }
    func dim(_ text: String) -> String { wrap(text, "2") }
    func good(_ text: String) -> String { wrap(text, "32") }
    func warning(_ text: String) -> String { wrap(text, "33") }
    func bad(_ text: String) -> String { wrap(text, "31") }

    private func wrap(_ text: String, _ code: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

extension String {
    /// Fit for a terminal: what others chose, such as an app's id, must not steer it or hide in it.
    var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
                text.unicodeScalars.append("?")
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// At least `width` wide, filled with blanks.
    func padded(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self
    }
}
