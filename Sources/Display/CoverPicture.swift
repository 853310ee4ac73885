import CPango

/// What hides everything: lines in the middle of a black ground, the first of them large, and the site's logo above them. Else of greys
/// alone, so that whatever has a colour is not ours.
enum CoverPicture {
    /// The lines alone, with the ground around them, as wide as the screen and as high as they need.
    static func height(of text: String, onScreen width: Int, _ height: Int) -> Int {
        let size = size(width, height)
        let logo = SiteLook.current.logo == nil ? 0 : 2 * (logoHeight + logoGap)
        return min(height, Int(size * (2.4 * Double(lines(text).count + 1) + logo)))
    }

    // In sizes of the letters.
    private static let logoHeight = 5.0
    private static let logoGap = 1.0

    /// - Parameters:
    ///   - bytes: Width times height pixels of 32 bits, blue first, in rows without gaps.
    ///   - screen: The size that the letters are for.
    static func draw(
        _ text: String, on bytes: UnsafeMutablePointer<UInt8>, width: Int, height: Int,
        forScreen screen: (width: Int, height: Int)
    ) -> Bool {
        PixelCanvas.draw(on: bytes, width: CInt(width), height: CInt(height)) { pen in
            cairo_set_source_rgb(pen, 0, 0, 0)
            cairo_paint(pen)
        } text: { pen in
            // The ground hides; a line that cannot be drawn does not keep it away.
            write(lines(text), pen, (Double(width), Double(height)), size(screen.width, screen.height))
        }
    }

    /// Draws one, so that the fonts are looked up before it matters.
    static func warmUp() {
        var bytes = [UInt8](repeating: 0, count: 64 * 32 * 4)
        bytes.withUnsafeMutableBufferPointer { bytes in
            guard let first = bytes.baseAddress else { return }
            _ = draw("Baton\nБатон", on: first, width: 64, height: 32, forScreen: (64, 32))
        }
    }

    private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    private static func size(_ width: Int, _ height: Int) -> Double { max(18, Double(min(width, height)) / 32) }

    private static func write(
        _ lines: [String], _ pen: OpaquePointer?, _ room: (width: Double, height: Double), _ size: Double
    ) {
        var middle = room.height / 2 - size * 1.1 * Double(lines.count - 1)
        let top = middle - size * (1.2 + logoGap + logoHeight)
        if top >= 0 {
            SiteLook.current.logo?.draw(
                pen, middle: room.width / 2, top: top, width: room.width * 0.5, height: size * logoHeight)
        }
        for (place, line) in lines.enumerated() {
            let isFirst = place == 0
            let light = isFirst ? 1 : 0.8
            cairo_set_source_rgb(pen, light, light, light)
            PenText(line, size: isFirst ? size : size * 0.75, isBold: isFirst, room: room.width * 0.9, pen)?
                .draw(centredAt: room.width / 2, middle: middle)
            middle += size * 2.2
        }
    }
}
