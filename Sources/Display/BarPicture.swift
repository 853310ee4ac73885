import CPango

/// A bar with a worker's name and one or two buttons.
enum BarPicture {
    static let width: UInt16 = 420
    /// WCAG 2.2, 2.5.5: a target of 44 pixels, and the frame.
    static let height: UInt16 = 52
    private static let buttonWidth = 136.0
    private static let gap = 4.0

    /// - Parameter text: Its lines: the name, and what each of its buttons says, from right to left.
    static func draw(_ text: String, _ bytes: UnsafeMutablePointer<UInt8>) -> Bool {
        Panel.paint(on: bytes, width: width, height: height, frame: 2, colour: Panel.quiet) { pen in
            write(text.split(separator: "\n").map(String.init), pen)
        }
    }

    /// Which of so many buttons lies there, counted from the right; nil: none.
    static func button(atX x: Double, of count: Int) -> Int? {
        let place = Int(max(0, (Double(width) - x) / (buttonWidth + gap)))
        return place < count ? place : nil
    }

    private static func write(_ lines: [String], _ pen: OpaquePointer?) {
        guard let name = lines.first else { return }
        let middle = Double(height) / 2
        var right = Double(width) - gap
        // The one that does what is asked about has a colour.
        for (place, text) in lines.dropFirst().enumerated() {
            let isFilled = place > 0
            (isFilled ? Panel.accent : Panel.edge).use(pen)
            cairo_rectangle(pen, right - buttonWidth, gap + 1, buttonWidth, Double(height) - 2 * gap - 2)
            if isFilled {
                cairo_fill(pen)
                Panel.ground.use(pen)
            } else {
                cairo_set_line_width(pen, 2)
                cairo_stroke(pen)
            }
            PenText(text, size: 17, isBold: true, room: buttonWidth - 12, pen)?.draw(
                centredAt: right - buttonWidth / 2, middle: middle)
            right -= buttonWidth + gap
        }
        cairo_set_source_rgb(pen, 1, 1, 1)
        PenText(name, size: 18, isBold: true, room: right - 3 * gap, pen)?.draw(from: 3 * gap, middle: middle)
    }
}
