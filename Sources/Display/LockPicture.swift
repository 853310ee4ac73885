import CPango

/// A locked screen: name, keys and two buttons on a black ground. Of greys, and the site's colour for what is wrong and for the way back.
enum LockPicture {
    /// - Parameters:
    ///   - bytes: Width times height pixels of 32 bits, blue first, in rows without gaps.
    ///   - layout: That of the screen.
    ///   - origin: Where the canvas begins on the screen.
    static func draw(
        _ face: LockFace, on bytes: UnsafeMutablePointer<UInt8>, width: Int, height: Int, _ layout: LockLayout,
        origin: (x: Int, y: Int)
    ) -> Bool {
        PixelCanvas.draw(on: bytes, width: CInt(clamping: width), height: CInt(clamping: height)) { pen in
            cairo_set_source_rgb(pen, 0, 0, 0)
            cairo_paint(pen)
        } text: { pen in
            cairo_translate(pen, Double(layout.left - origin.x), Double(layout.top - origin.y))
            cairo_scale(pen, layout.unit, layout.unit)
            write(face, layout.unit, pen)
        }
    }

    static let middle = 230.0
    static let room = 420.0

    private static func write(_ face: LockFace, _ unit: Double, _ pen: OpaquePointer?) {
        SiteLook.current.logo?.draw(pen, middle: 80, top: 2, width: 100, height: 32)
        line(face.title, .title, size: 20, light: 0.75, pen)
        line(face.name, .name, size: 34, isBold: true, light: 1, pen)
        if let elsewhere = face.elsewhere {
            LockCodePicture.draw(elsewhere, unit, pen)
        } else if face.message.isEmpty {
            cairo_set_source_rgb(pen, 0.85, 0.85, 0.85)
            hint(face.hint, isBold: false, pen)
        } else {
            Panel.accent.use(pen)
            hint(face.message, isBold: true, pen)
        }
        line(face.end, .end, size: 16, light: 0.75, pen)
        if face.hasKeys, face.elsewhere == nil {
            dots(face.typed, pen)
            for (key, box) in LockLayout.keys { button(label(key), box, size: 26, pen) }
            if !face.phone.isEmpty { button(face.phone, LockLayout.phone, size: 18, pen) }
        }
        if let key = face.backKey {
            button(face.back, LockLayout.back, size: 20, isMain: key != .cancel, pen)
        }
        button(face.other, LockLayout.other, size: 18, pen)
    }

    private static func label(_ key: LockKey) -> String {
        switch key {
        case .character(let character): "\(character)"
        case .erase: "\u{232b}"
        case .enter, .other, .phone, .cancel: ""
        }
    }

    private static func line(
        _ text: String, _ place: LockLayout.Line, size: Double, isBold: Bool = false, light: Double,
        _ pen: OpaquePointer?
    ) {
        cairo_set_source_rgb(pen, light, light, light)
        PenText(text, size: size, isBold: isBold, room: room, pen)?.draw(centredAt: middle, middle: place.rawValue)
    }

    private static func hint(_ text: String, isBold: Bool, _ pen: OpaquePointer?) {
        PenLines(text, size: 17, isBold: isBold, room: room, pen).draw(
            centredAt: middle, middle: LockLayout.Line.hint.rawValue)
    }

    private static func dots(_ count: Int, _ pen: OpaquePointer?) {
        let shown = min(max(count, 0), 16)
        cairo_set_source_rgb(pen, 1, 1, 1)
        for place in 0..<shown {
            let x = middle + (Double(place) - Double(shown - 1) / 2) * 24
            cairo_arc(pen, x, LockLayout.Line.dots.rawValue, 7, 0, 2 * .pi)
            cairo_fill(pen)
        }
    }

    private static func button(
        _ text: String, _ box: LockLayout.Box, size: Double, isMain: Bool = false, _ pen: OpaquePointer?
    ) {
        if isMain { Panel.accent.use(pen) } else { cairo_set_source_rgb(pen, 0.16, 0.16, 0.16) }
        cairo_rectangle(pen, box.x, box.y, box.width, box.height)
        cairo_fill(pen)
        // An edge that is seen beside black.
        cairo_set_source_rgb(pen, 0.55, 0.55, 0.55)
        cairo_set_line_width(pen, 1.5)
        cairo_rectangle(pen, box.x, box.y, box.width, box.height)
        cairo_stroke(pen)
        let letters = isMain ? 0.05 : 1.0
        cairo_set_source_rgb(pen, letters, letters, letters)
        PenLines(text, size: size, isBold: true, room: box.width - 16, pen).draw(
            centredAt: box.middle.x, middle: box.middle.y)
    }
}
