import QRCodes

/// For terminals: two rows of modules to a line of text.
extension QRCode {
    /// How many characters a line has.
    var columns: Int { side }

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
