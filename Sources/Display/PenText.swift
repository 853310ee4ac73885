import CCairo

/// A line of plain text, made smaller until it fits.
///
/// One font draws the whole line, without those that have other scripts.
struct PenText {
    private let line: String
    private let pen: OpaquePointer?
    private var extents = cairo_text_extents_t()
    private var font = cairo_font_extents_t()

    /// Of a line that does not fit at the least size, the beginning is drawn.
    private static let leastSize = 12.0

    /// - Parameters:
    ///   - size: In pixels.
    ///   - room: How wide it may be.
    init(_ text: String, size: Double, isBold: Bool = false, room: Double, _ pen: OpaquePointer?) {
        line = String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(255).map { $0.properties.generalCategory == .control ? "?" : $0 }))
        self.pen = pen
        let options = cairo_font_options_create()
        defer { cairo_font_options_destroy(options) }
        // Greys, also where the settings have subpixels.
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_set_font_options(pen, options)
        cairo_select_font_face(
            pen, "sans-serif", CAIRO_FONT_SLANT_NORMAL, isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
        cairo_set_font_size(pen, size)
        cairo_text_extents(pen, line, &extents)
        if extents.width > room {
            cairo_set_font_size(pen, max(Self.leastSize, size * room / extents.width))
            cairo_text_extents(pen, line, &extents)
        }
        cairo_font_extents(pen, &font)
    }

    var width: Double { extents.width }

    /// - Parameter middle: Between its upper and its lower edge.
    func draw(from left: Double, middle: Double) {
        if line.isEmpty { return }
        cairo_move_to(pen, left - extents.x_bearing, middle + (font.ascent - font.descent) / 2)
        cairo_show_text(pen, line)
    }

    func draw(centredAt x: Double, middle: Double) { draw(from: x - extents.width / 2, middle: middle) }
}
