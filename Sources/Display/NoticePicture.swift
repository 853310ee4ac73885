import CPango

/// A panel with some lines and a button, as pixels of 32 bits, blue first.
enum NoticePicture {
    static let panel = Panel(width: width, height: height, edges: .top, margin: 24, draw: draw)
    private static let width: UInt16 = 760
    private static let height: UInt16 = 132

    /// - Parameter text: Its lines: a large one, any number of small ones, and the button's.
    private static func draw(_ text: String, _ bytes: UnsafeMutablePointer<UInt8>) -> Bool {
        PixelCanvas.draw(on: bytes, width: CInt(width), height: CInt(height)) { pen in
            cairo_set_source_rgb(pen, 0.07, 0.09, 0.13)
            cairo_paint(pen)
            // A frame tells it from a dark page.
            cairo_set_source_rgb(pen, 1, 0.78, 0.2)
            cairo_set_line_width(pen, 6)
            cairo_rectangle(pen, 3, 3, Double(width) - 6, Double(height) - 6)
            cairo_stroke(pen)
        } text: { pen in
            write(text.split(separator: "\n").map(String.init), pen)
        }
    }

    private static let buttonWidth = 232.0
    private static let gap = 24.0

    private static func write(_ lines: [String], _ pen: OpaquePointer?) {
        guard let button = lines.last, lines.count > 1 else { return }
        let (width, height) = (Double(Self.width), Double(Self.height))
        let left = width - buttonWidth - gap
        cairo_set_source_rgb(pen, 1, 0.78, 0.2)
        cairo_rectangle(pen, left, height / 2 - 30, buttonWidth, 60)
        cairo_fill(pen)
        cairo_set_source_rgb(pen, 0.07, 0.09, 0.13)
        PenText(button, size: 22, isBold: true, room: buttonWidth - 16, pen)?.draw(
            centredAt: left + buttonWidth / 2, middle: height / 2)
        cairo_set_source_rgb(pen, 1, 1, 1)
        let room = left - 2 * gap
        var middle = lines.count > 2 ? height / 2 - 20 : height / 2
        for (place, line) in lines.dropLast().enumerated() {
            PenText(line, size: place == 0 ? 26 : 18, isBold: place == 0, room: room, pen)?.draw(
                from: gap, middle: middle)
            middle += place == 0 ? 40 : 24
        }
    }
}
