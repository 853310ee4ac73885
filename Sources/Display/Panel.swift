import CPango

/// A part of a screen above everything else, and what is drawn on it.
struct Panel: Sendable {
    /// At which of a screen's edges it lies; between two that face each other, in the middle. As zwlr_layer_surface_v1 numbers them.
    struct Edges: OptionSet, Sendable {
        let rawValue: UInt32

        static let top = Self(rawValue: 1)
        static let bottom = Self(rawValue: 2)
        static let left = Self(rawValue: 4)
        static let right = Self(rawValue: 8)
    }

    /// In pixels.
    let width: UInt16
    let height: UInt16
    let edges: Edges
    /// From its edges.
    let margin: UInt16
    /// Draws lines on as many pixels of 32 bits as it has, blue first, in rows without gaps; false: it could not.
    let draw: @Sendable (String, UnsafeMutablePointer<UInt8>) -> Bool

    /// Draws what a panel has below its lines: a dark ground with a frame, which tells it from a dark page.
    ///
    /// - Parameter text: Draws the lines.
    /// - Returns: Whether the ground is there.
    static func paint(
        on bytes: UnsafeMutablePointer<UInt8>, width: UInt16, height: UInt16, frame: Double,
        colour: Ink, text: (OpaquePointer?) -> Void
    ) -> Bool {
        PixelCanvas.draw(on: bytes, width: CInt(width), height: CInt(height)) { pen in
            ground.use(pen)
            cairo_paint(pen)
            colour.use(pen)
            cairo_set_line_width(pen, frame)
            cairo_rectangle(pen, frame / 2, frame / 2, Double(width) - frame, Double(height) - frame)
            cairo_stroke(pen)
        } text: {
            text($0)
        }
    }

    /// Each part from 0 to 1.
    struct Ink {
        let red: Double
        let green: Double
        let blue: Double

        /// What is drawn next has it.
        func use(_ pen: OpaquePointer?) { cairo_set_source_rgb(pen, red, green, blue) }
    }

    static let ground = Ink(red: 0.07, green: 0.09, blue: 0.13)
    /// Of what a worker is asked to press.
    static var accent: Ink { SiteLook.current.accent }
    /// Of a bar that asks nothing.
    static let quiet = Ink(red: 0.45, green: 0.5, blue: 0.56)
    static let edge = Ink(red: 0.75, green: 0.8, blue: 0.85)

    /// Its upper left corner.
    func origin(onScreen screen: (width: UInt16, height: UInt16)) -> (x: UInt16, y: UInt16) {
        (
            Self.start(width, in: screen.width, margin, edges.contains(.left), edges.contains(.right)),
            Self.start(height, in: screen.height, margin, edges.contains(.top), edges.contains(.bottom))
        )
    }

    private static func start(
        _ length: UInt16, in room: UInt16, _ margin: UInt16, _ isAtStart: Bool, _ isAtEnd: Bool
    ) -> UInt16 {
        let free = Int(room) - Int(length)
        let start = isAtStart == isAtEnd ? free / 2 : isAtStart ? Int(margin) : free - Int(margin)
        return UInt16(clamping: start)
    }
}
