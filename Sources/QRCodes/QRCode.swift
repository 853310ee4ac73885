import CQREncode

/// A QR code (ISO/IEC 18004).
public struct QRCode: Sendable {
    /// Dark modules, row by row, without the quiet zone.
    public let modules: [Bool]
    public let width: Int

    /// What the standard asks for on each side, in modules.
    public static let quietZone = 4

    /// Nil for a text that does not fit.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        // The address is read off a screen at once, so the small code is worth more than correction.
        guard !bytes.isEmpty, let code = QRcode_encodeData(Int32(clamping: bytes.count), bytes, 0, QR_ECLEVEL_L)
        else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard width > 0, let data = code.pointee.data else { return nil }
        self.width = width
        modules = UnsafeBufferPointer(start: data, count: width &* width).map { $0 & 1 == 1 }
    }

    /// On each side, the quiet zone included, in modules.
    public var side: Int { width + 2 * Self.quietZone }

    /// Dark modules, row by row, with the quiet zone.
    public var framed: [Bool] {
        let places = -Self.quietZone..<width + Self.quietZone
        return places.flatMap { row in places.map { isDark(row: row, column: $0) } }
    }

    public func isDark(row: Int, column: Int) -> Bool {
        guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
        return modules[row * width + column]
    }
}
