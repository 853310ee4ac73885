import CQREncode

/// A QR code (ISO/IEC 18004) for terminals: two rows of modules to a line of text.
struct QRCode: Sendable {
    /// Dark modules, row by row, without the quiet zone.
    let modules: [Bool]
    let width: Int

    /// What the standard asks for on each side, in modules.
    static let quietZone = 4

    /// Nil for a text that does not fit.
    init?(_ text: String) {
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

    /// How many characters a line has.
    var columns: Int { width + 2 * Self.quietZone }

    func isDark(row: Int, column: Int) -> Bool {
        guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
        return modules[row * width + column]
    }

    /// - Parameter isColored: Black on white whatever the terminal's own colours are. Without, dark modules are ink: for
    ///   paper, and for what shows text dark on light.
    func lines(isColored: Bool) -> [String] {
        let zone = Self.quietZone
        return stride(from: -zone, to: width + zone, by: 2).map { row in
            let text = (-zone..<width + zone).map { column in
                switch (isDark(row: row, column: column), isDark(row: row + 1, column: column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
            return isColored ? "\u{1B}[38;5;16;48;5;231m\(text)\u{1B}[0m" : text
        }
    }
}
