import CCairo
import CLinux
import CWayland
import Glibc
import LinuxSystem

/// A white line in the middle of a black ground, or a panel, in memory that the compositor reads.
///
/// No pixel is transparent, but the format could have some: else a compositor may leave out the frames of what is hidden, and the next
/// browser could not say that its start page is painted.
enum WaylandPicture {
    /// Larger than any screen.
    private static let largest: UInt32 = 32_768

    /// Nil for a size that no screen has, or without memory.
    static func make(
        _ text: String, _ style: CoverStyle, width: UInt32, height: UInt32, _ memory: OpaquePointer,
        _ connection: WaylandConnection
    ) -> WaylandObject? {
        if let size = style.panelSize, (UInt32(size.width), UInt32(size.height)) != (width, height) { return nil }
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
        let pixels = place.assumingMemoryBound(to: UInt8.self)
        let isDrawn =
            style.panelSize == nil ? draw(text, pixels, width, height) : NoticePicture.draw(text, pixels)
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
        PixelCanvas.draw(on: bytes, width: width, height: height) { pen in
            cairo_set_source_rgb(pen, 0, 0, 0)
            cairo_paint(pen)
        } text: { pen in
            // The ground hides; a line that cannot be drawn does not keep it away.
            write(text, pen, Double(width), Double(height))
        }
    }

    private static func write(_ text: String, _ pen: OpaquePointer?, _ width: Double, _ height: Double) {
        cairo_set_source_rgb(pen, 1, 1, 1)
        let line = PenText(text, size: max(16, min(width, height) / 40), room: width * 0.9, pen)
        line.draw(from: max(width * 0.05, (width - line.width) / 2), middle: height / 2)
    }
}
