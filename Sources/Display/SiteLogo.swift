import CPango

/// The site's logo as drawn things show it: decoded once, since a locked screen is drawn anew with each key.
public struct SiteLogo: Sendable, Equatable {
    private let width: CInt
    private let height: CInt
    /// Of 32 bits, blue first, in rows without gaps; each colour has been multiplied by its opacity.
    private let pixels: [UInt8]

    /// Of each side, in pixels. What is larger is left out.
    private static let most: CInt = 2048
    /// As large as any screen shows it: of a cover, five lines of letters that are a thirty-second of the screen.
    private static let room = (width: Double(widest), height: 360.0)
    /// In pixels, as large as it is ever drawn.
    public static let widest = 1024

    private final class Reader {
        var rest: ArraySlice<UInt8>
        init(_ bytes: [UInt8]) { rest = bytes[...] }
    }

    /// Nil if it is no picture, or a very large one.
    public init?(png: [UInt8]) {
        guard !png.isEmpty else { return nil }
        let reader = Reader(png)
        let surface = withExtendedLifetime(reader) {
            cairo_image_surface_create_from_png_stream(
                { reader, place, count in
                    guard let reader, let place else { return CAIRO_STATUS_READ_ERROR }
                    let source = Unmanaged<Reader>.fromOpaque(reader).takeUnretainedValue()
                    guard source.rest.count >= Int(count) else { return CAIRO_STATUS_READ_ERROR }
                    for (offset, byte) in source.rest.prefix(Int(count)).enumerated() { place[offset] = byte }
                    source.rest = source.rest.dropFirst(Int(count))
                    return CAIRO_STATUS_SUCCESS
                }, Unmanaged.passUnretained(reader).toOpaque())
        }
        defer { cairo_surface_destroy(surface) }
        let (width, height) = (cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface))
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, (1...Self.most).contains(width),
            (1...Self.most).contains(height)
        else { return nil }
        let scale = min(1, Self.room.width / Double(width), Self.room.height / Double(height))
        self.width = max(1, CInt(Double(width) * scale))
        self.height = max(1, CInt(Double(height) * scale))
        var pixels = [UInt8](repeating: 0, count: Int(self.width) * Int(self.height) * 4)
        let size = (width: self.width, height: self.height)
        let isDrawn = pixels.withUnsafeMutableBufferPointer { bytes in
            bytes.baseAddress.map { bytes in
                PixelCanvas.draw(on: bytes, width: size.width, height: size.height) { pen in
                    cairo_scale(pen, Double(size.width) / Double(width), Double(size.height) / Double(height))
                    cairo_set_source_surface(pen, surface, 0, 0)
                    cairo_paint(pen)
                } text: { _ in
                }
            }
        }
        guard isDrawn == true else { return nil }
        self.pixels = pixels
    }

    /// Draws it into a box, as large as it fits and in its middle.
    func draw(_ pen: OpaquePointer?, middle: Double, top: Double, width: Double, height: Double) {
        let scale = min(width / Double(self.width), height / Double(self.height))
        cairo_save(pen)
        cairo_translate(pen, middle - Double(self.width) * scale / 2, top + (height - Double(self.height) * scale) / 2)
        cairo_scale(pen, scale, scale)
        pixels.withUnsafeBufferPointer { bytes in
            // It is only read.
            let surface = cairo_image_surface_create_for_data(
                UnsafeMutablePointer(mutating: bytes.baseAddress), CAIRO_FORMAT_ARGB32, self.width, self.height,
                self.width * 4)
            cairo_set_source_surface(pen, surface, 0, 0)
            cairo_paint(pen)
            // With what the pen holds of it.
            cairo_set_source_rgb(pen, 0, 0, 0)
            cairo_surface_finish(surface)
            cairo_surface_destroy(surface)
        }
        cairo_restore(pen)
    }
}
