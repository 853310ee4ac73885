import CPango

/// Pixels of 32 bits, blue first, in rows without gaps, that Cairo draws on.
enum PixelCanvas {
    /// - Parameters:
    ///   - bytes: As many as the canvas has.
    ///   - ground: What has to be there.
    ///   - text: What is missing without harm if it cannot be drawn.
    /// - Returns: Whether the ground is there.
    static func draw(
        on bytes: UnsafeMutablePointer<UInt8>, width: CInt, height: CInt, ground: (OpaquePointer?) -> Void,
        text: (OpaquePointer?) -> Void
    ) -> Bool {
        let surface = cairo_image_surface_create_for_data(bytes, CAIRO_FORMAT_ARGB32, width, height, width * 4)
        let pen = cairo_create(surface)
        defer {
            cairo_destroy(pen)
            cairo_surface_destroy(surface)
        }
        ground(pen)
        cairo_surface_flush(surface)
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, cairo_status(pen) == CAIRO_STATUS_SUCCESS else {
            return false
        }
        text(pen)
        cairo_surface_flush(surface)
        return true
    }
}
