import CPango

/// A panel with some lines and a button, as pixels of 32 bits, blue first.
enum NoticePicture {
    static let panel = Panel(width: width, height: height, edges: .top, margin: 24, draw: draw)
    private static let width: UInt16 = 760
    private static let height: UInt16 = 132

    /// - Parameter text: Its lines: a large one, any number of small ones, and the button's.
    private static func draw(_ text: String, _ bytes: UnsafeMutablePointer<UInt8>) -> Bool {
        Panel.paint(on: bytes, width: width, height: height, frame: 6, colour: Panel.accent) { pen in
            write(text.split(separator: "\n").map(String.init), pen)
        }
    }

    private static let buttonWidth = 232.0
    private static let gap = 24.0
    private static let logoSide = 84.0

    private static func write(_ lines: [String], _ pen: OpaquePointer?) {
        guard let button = lines.last, lines.count > 1 else { return }
        let (width, height) = (Double(Self.width), Double(Self.height))
        let left = width - buttonWidth - gap
        Panel.accent.use(pen)
        cairo_rectangle(pen, left, height / 2 - 30, buttonWidth, 60)
        cairo_fill(pen)
        Panel.ground.use(pen)
        PenText(button, size: 22, isBold: true, room: buttonWidth - 16, pen)?.draw(
            centredAt: left + buttonWidth / 2, middle: height / 2)
        let logo = SiteLook.current.logo
        logo?.draw(pen, middle: gap + logoSide / 2, top: (height - logoSide) / 2, width: logoSide, height: logoSide)
        cairo_set_source_rgb(pen, 1, 1, 1)
        let start = logo == nil ? gap : 2 * gap + logoSide
        let room = left - gap - start
        var middle = lines.count > 2 ? height / 2 - 20 : height / 2
        for (place, line) in lines.dropLast().enumerated() {
            PenText(line, size: place == 0 ? 26 : 18, isBold: place == 0, room: room, pen)?.draw(
                from: start, middle: middle)
            middle += place == 0 ? 40 : 24
        }
    }
}
