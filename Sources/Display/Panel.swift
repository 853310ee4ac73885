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
