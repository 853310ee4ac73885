/// A text in one line or, where that does not fit as large as it is wished, in two.
struct PenLines {
    private let lines: [PenText]
    private let size: Double

    /// - Parameters:
    ///   - size: In pixels. Two lines are a little smaller.
    ///   - room: How wide each may be.
    init(_ text: String, size: Double, isBold: Bool = false, room: Double, _ pen: OpaquePointer?) {
        let whole = PenText(text, size: size, isBold: isBold, room: .greatestFiniteMagnitude, pen)
        if let whole, whole.width <= room {
            (lines, self.size) = ([whole], size)
        } else {
            let smaller = size * 0.9
            lines = Self.halves(of: text).compactMap {
                PenText($0, size: smaller, isBold: isBold, room: room, pen)
            }
            self.size = smaller
        }
    }

    /// - Parameter middle: Between the upper edge of all of it and the lower one.
    func draw(centredAt x: Double, middle: Double) {
        let first = middle - Double(lines.count - 1) * size * 0.62
        for (number, line) in lines.enumerated() {
            line.draw(centredAt: x, middle: first + Double(number) * size * 1.24)
        }
    }

    /// As long as each other, as far as words allow.
    static func halves(of text: String) -> [String] {
        let words = text.split(separator: " ")
        var best = (count: words.count, length: text.count)
        for count in stride(from: 1, to: words.count, by: 1) {
            let first = words[..<count].joined(separator: " ").count
            let length = max(first, text.count - first - 1)
            if length < best.length { best = (count, length) }
        }
        return [words[..<best.count], words[best.count...]].filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
    }
}
