import CLinux
import CWayland
import Glibc
import LinuxSystem

/// A cover with its lines, or a panel, in memory that the compositor reads.
///
/// No pixel is transparent, but the format could have some: else a compositor may leave out the frames of what is hidden, and the next
/// browser could not say that its start page is painted.
enum WaylandPicture {
    /// Larger than any screen.
    private static let largest: UInt32 = 32_768

    /// Nil for a size that no screen has, or without memory.
    static func make(
        _ face: CoverFace, _ style: CoverStyle, width: UInt32, height: UInt32, _ memory: OpaquePointer,
        _ connection: WaylandConnection
    ) -> WaylandObject? {
        let panel = style.panel
        if let panel, (UInt32(panel.width), UInt32(panel.height)) != (width, height) { return nil }
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
        let screen = (width: Int(width), height: Int(height))
        let isDrawn =
            switch face {
            case .lines(let text):
                panel?.draw(text, pixels)
                    ?? CoverPicture.draw(
                        text, on: pixels, width: screen.width, height: screen.height, forScreen: screen)
            case .lock(let lock):
                LockPicture.draw(
                    lock, on: pixels, width: screen.width, height: screen.height, LockLayout(screen: screen),
                    origin: (0, 0))
            }
        munmap(place, count)
        guard isDrawn, let pool = wl_shm_create_pool(memory, file.raw, size) else { return nil }
        defer { wl_shm_pool_destroy(pool) }
        return WaylandObject(
            wl_shm_pool_create_buffer(pool, 0, width, height, width * 4, WL_SHM_FORMAT_ARGB8888.rawValue),
            on: connection, destroy: wl_buffer_destroy)
    }
}
