import CPango

/// A code for another device, and the picture from which that reads it.
enum LockCodePicture {
    private static let middle = LockPicture.middle
    private static let room = LockPicture.room
    /// In units.
    private static let side = 216.0

    /// - Parameter unit: How many pixels a unit of the drawing has.
    static func draw(_ code: LockCode, _ unit: Double, _ pen: OpaquePointer?) {
        cairo_set_source_rgb(pen, 0.85, 0.85, 0.85)
        PenLines(code.hint, size: 17, room: room, pen).draw(centredAt: middle, middle: 108)
        if !code.modules.isEmpty { drawModules(code, unit, pen) }
        cairo_set_source_rgb(pen, 1, 1, 1)
        PenText(code.code, size: 36, isBold: true, room: room, pen)?.draw(centredAt: middle, middle: 388)
        cairo_set_source_rgb(pen, 0.75, 0.75, 0.75)
        PenText(code.end, size: 16, room: room, pen)?.draw(centredAt: middle, middle: 428)
    }

    /// Each module has as many whole pixels as the others, or no camera reads a small one.
    private static func drawModules(_ code: LockCode, _ unit: Double, _ pen: OpaquePointer?) {
        let count = Double(max(1, code.width))
        let module = max(1, (side * unit / count).rounded(.down)) / unit
        let left = ((middle - module * count / 2) * unit).rounded() / unit
        let top = ((136 + (side - module * count) / 2) * unit).rounded() / unit
        cairo_set_source_rgb(pen, 1, 1, 1)
        cairo_rectangle(pen, left, top, module * count, module * count)
        cairo_fill(pen)
        cairo_set_source_rgb(pen, 0, 0, 0)
        for (place, isDark) in code.modules.enumerated() where isDark {
            let (row, column) = place.quotientAndRemainder(dividingBy: max(1, code.width))
            cairo_rectangle(pen, left + module * Double(column), top + module * Double(row), module, module)
        }
        cairo_fill(pen)
    }
}
