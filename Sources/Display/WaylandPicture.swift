import CCairo
import CLinux
import CWayland
import Glibc
import LinuxSystem

/// A white line in the middle of a black ground, in memory that the compositor reads.
///
/// One font draws the whole line, without those that have other scripts: the line is for plain text. No pixel is
/// transparent, but the format could have some: else a compositor may leave out the frames of what is hidden, and the next
/// browser could not say that its start page is painted.
enum WaylandPicture {
    /// Larger than any screen.
    private static let largest: UInt32 = 32_768

    /// Nil for a size that no screen has, or without memory.
    static func make(
        _ text: String, width: UInt32, height: UInt32, _ memory: OpaquePointer, _ connection: WaylandConnection
    ) -> WaylandObject? {
        guard 1...largest ~= width, 1...largest ~= height else { return nil }
        let width = CInt(width)
        let height = CInt(height)
        let count = Int(width) * 4 * Int(height)
        guard let size = CInt(exactly: count), case let raw = baton_memfd_create("baton-cover"), raw >= 0 else {
            return nil
        }
        let file = Descriptor(owning: raw)
        guard ftruncate(file.raw, count) == 0,
            let place = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, file.raw, 0), place != MAP_FAILED
        else { return nil }
        let isDrawn = draw(text, place.assumingMemoryBound(to: UInt8.self), width, height)
        munmap(place, count)
        guard isDrawn, let pool = wl_shm_create_pool(memory, file.raw, size) else { return nil }
        defer { wl_shm_pool_destroy(pool) }
        return WaylandObject(
            wl_shm_pool_create_buffer(pool, 0, width, height, width * 4, WL_SHM_FORMAT_ARGB8888.rawValue),
            on: connection, destroy: wl_buffer_destroy)
    }

    /// Draws one, so that the fonts are looked up before it matters.
    static func warmUp() {
        var bytes = [UInt8](repeating: 0, count: 64 * 32 * 4)
        _ = draw("Baton", &bytes, 64, 32)
    }

    private static func draw(_ text: String, _ bytes: UnsafeMutablePointer<UInt8>, _ width: CInt, _ height: CInt)
        -> Bool
    {
        let surface = cairo_image_surface_create_for_data(bytes, CAIRO_FORMAT_ARGB32, width, height, width * 4)
        let pen = cairo_create(surface)
        defer {
            cairo_destroy(pen)
            cairo_surface_destroy(surface)
        }
        cairo_set_source_rgb(pen, 0, 0, 0)
        cairo_paint(pen)
        cairo_surface_flush(surface)
        // The ground hides; a line that cannot be drawn does not keep it away.
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, cairo_status(pen) == CAIRO_STATUS_SUCCESS else {
            return false
        }
        write(text, pen, Double(width), Double(height))
        cairo_surface_flush(surface)
        return true
    }

    private static func write(_ text: String, _ pen: OpaquePointer?, _ width: Double, _ height: Double) {
        let line = String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(255).map { $0.properties.generalCategory == .control ? "?" : $0 }))
        if line.isEmpty { return }
        let options = cairo_font_options_create()
        defer { cairo_font_options_destroy(options) }
        // Greys, also where the settings have subpixels.
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_set_font_options(pen, options)
        cairo_select_font_face(pen, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
        var size = max(16, min(width, height) / 40)
        var extents = cairo_text_extents_t()
        cairo_set_font_size(pen, size)
        cairo_text_extents(pen, line, &extents)
        let room = width * 0.9
        if extents.width > room {
            size = max(12, size * room / extents.width)
            cairo_set_font_size(pen, size)
            cairo_text_extents(pen, line, &extents)
        }
        var font = cairo_font_extents_t()
        cairo_font_extents(pen, &font)
        // Of one that is too long, the beginning.
        let x = max(width * 0.05, (width - extents.width) / 2) - extents.x_bearing
        cairo_move_to(pen, x, (height + font.ascent - font.descent) / 2)
        cairo_set_source_rgb(pen, 1, 1, 1)
        cairo_show_text(pen, line)
    }
}
