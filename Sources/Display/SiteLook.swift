import CPango
import Synchronization

/// What drawn things have of the site's own look. A program has one screen, so there is one.
public struct SiteLook: Sendable {
    /// Of what a worker is asked to press: to be read on a dark ground.
    public var red: UInt8 = 255
    public var green: UInt8 = 199
    public var blue: UInt8 = 51
    /// A picture as PNG; empty: none.
    public var logo: [UInt8] = []

    public init() {}

    private static let shared = Mutex(SiteLook())

    public static var current: SiteLook {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    var accent: Panel.Ink {
        Panel.Ink(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255)
    }

    /// Of each side, in pixels. What is larger is left out, since the screen waits for its cover to be drawn.
    private static let most: CInt = 2048

    private final class Reader {
        var rest: ArraySlice<UInt8>
        init(_ bytes: [UInt8]) { rest = bytes[...] }
    }

    /// Draws the logo into a box, as large as it fits and in its middle; nothing if it is no picture.
    func drawLogo(_ pen: OpaquePointer?, middle: Double, top: Double, width: Double, height: Double) {
        guard !logo.isEmpty else { return }
        let reader = Reader(logo)
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
        let size = (width: cairo_image_surface_get_width(surface), height: cairo_image_surface_get_height(surface))
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, (1...Self.most).contains(size.width),
            (1...Self.most).contains(size.height)
        else { return }
        let scale = min(width / Double(size.width), height / Double(size.height))
        cairo_save(pen)
        cairo_translate(pen, middle - Double(size.width) * scale / 2, top + (height - Double(size.height) * scale) / 2)
        cairo_scale(pen, scale, scale)
        cairo_set_source_surface(pen, surface, 0, 0)
        cairo_paint(pen)
        cairo_restore(pen)
    }
}
