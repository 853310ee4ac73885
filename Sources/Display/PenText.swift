import CPango

/// A line of plain text in whatever scripts it has, made smaller until it fits.
final class PenText {
    private let pen: OpaquePointer
    private let layout: OpaquePointer
    let width: Double
    private let height: Double

    /// Of a line that does not fit at the least size, the beginning is drawn.
    private static let leastSize = 12.0

    /// - Parameters:
    ///   - size: In pixels.
    ///   - room: How wide it may be.
    init?(_ text: String, size: Double, isBold: Bool = false, room: Double, _ pen: OpaquePointer?) {
        guard let pen, let layout = Self.layout(pen) else { return nil }
        self.pen = pen
        self.layout = layout
        let line = Self.plain(text)
        pango_layout_set_single_paragraph_mode(layout, 1)
        pango_layout_set_text(layout, line, -1)
        var extent = Self.set(size, isBold, layout)
        var fitting = size
        // Letters are as wide as whole pixels: what fits by calculation may be a little too wide.
        while extent.width > room, fitting > Self.leastSize {
            fitting = max(Self.leastSize, min(fitting * room / extent.width, fitting - 0.25))
            extent = Self.set(fitting, isBold, layout)
        }
        if extent.width > room {
            pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
            pango_layout_set_width(layout, CInt(room * Double(PANGO_SCALE)))
            extent.width = room
        }
        (width, height) = extent
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    /// Without control characters, and without those that turn the direction of what stands beside them.
    private static func plain(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(255) where !scalar.properties.isBidiControl {
            line.append(scalar.properties.generalCategory == .control ? "?" : scalar)
        }
        return String(line)
    }

    private static func layout(_ pen: OpaquePointer) -> OpaquePointer? {
        guard let layout = pango_cairo_create_layout(pen) else { return nil }
        let options = cairo_font_options_create()
        defer { cairo_font_options_destroy(options) }
        // Greys, also where the settings have subpixels.
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        pango_cairo_context_set_font_options(pango_layout_get_context(layout), options)
        return layout
    }

    private static func set(
        _ size: Double, _ isBold: Bool, _ layout: OpaquePointer
    ) -> (width: Double, height: Double) {
        let font = pango_font_description_new()
        defer { pango_font_description_free(font) }
        pango_font_description_set_family(font, "sans-serif")
        pango_font_description_set_weight(font, isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
        pango_font_description_set_absolute_size(font, size * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        var (width, height): (CInt, CInt) = (0, 0)
        pango_layout_get_pixel_size(layout, &width, &height)
        return (Double(width), Double(height))
    }

    /// - Parameter middle: Between its upper and its lower edge.
    func draw(from left: Double, middle: Double) {
        cairo_move_to(pen, left, middle - height / 2)
        pango_cairo_show_layout(pen, layout)
    }

    func draw(centredAt x: Double, middle: Double) { draw(from: x - width / 2, middle: middle) }
}
