import CXCB
import Glibc

/// A font of the server itself, all of whose characters are equally wide.
struct XFont {
    let id: xcb_font_t
    /// Numbered by Unicode; else Latin-1.
    let isUnicode: Bool
    let width: Int
    let ascent: Int
    let descent: Int

    private static let names = [
        (name: "-misc-fixed-medium-r-normal--20-*-*-*-*-*-iso10646-1", isUnicode: true),
        (name: "-misc-fixed-medium-r-*--*-*-*-*-*-*-iso10646-1", isUnicode: true),
        (name: "fixed", isUnicode: false),
    ]

    /// The best that the server has; nil when it has none.
    init?(_ connection: XConnection) {
        for (name, isUnicode) in Self.names {
            let id = xcb_generate_id(connection.raw)
            let request = xcb_open_font_checked(connection.raw, id, UInt16(clamping: name.utf8.count), name)
            if let error = xcb_request_check(connection.raw, request) {
                free(error)
                continue
            }
            guard let reply = xcb_query_font_reply(connection.raw, xcb_query_font(connection.raw, id), nil) else {
                continue
            }
            defer { free(reply) }
            let width = Int(reply.pointee.max_bounds.character_width)
            guard width > 0 else { continue }
            self.id = id
            self.isUnicode = isUnicode
            self.width = width
            ascent = Int(reply.pointee.font_ascent)
            descent = Int(reply.pointee.font_descent)
            return
        }
        return nil
    }

    /// The line as the server takes it: at most 255 characters, and no more than fit.
    func characters(_ text: String, room: Int) -> [xcb_char2b_t] {
        text.unicodeScalars.prefix(min(255, max(0, room / width))).map { scalar in
            let value = drawable(scalar)
            return xcb_char2b_t(byte1: UInt8(value >> 8), byte2: UInt8(value & 0xff))
        }
    }

    private func drawable(_ scalar: Unicode.Scalar) -> UInt16 {
        let unknown = UInt16(UInt8(ascii: "?"))
        guard scalar.value >= 0x20, let value = UInt16(exactly: scalar.value) else { return unknown }
        if isUnicode || value < 0x100 { return value }
        return Self.plain(scalar) ?? unknown
    }

    /// The letter without its mark: C of Č.
    private static func plain(_ scalar: Unicode.Scalar) -> UInt16? {
        // The name says it: LATIN CAPITAL LETTER C WITH CARON.
        let words = scalar.properties.name?.split(separator: " ") ?? []
        guard words.count > 4, words[0] == "LATIN", words[2] == "LETTER", words[4] == "WITH",
            words[3].utf8.count == 1, let letter = words[3].utf8.first
        else { return nil }
        return UInt16(words[1] == "SMALL" ? letter | 0x20 : letter)
    }
}
