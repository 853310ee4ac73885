import CXCB
import CXKB
import Glibc

/// Which keys of a keyboard are those of a locked screen. Of letters there is none.
enum LockKeys {
    /// By the numbers that an X server gives keys. A key that has a digit on any of its first four symbols is that digit, so that no
    /// person has to hold shift where digits need it.
    static func ofServer(_ connection: XConnection) -> [xcb_keycode_t: LockKey] {
        guard let keys = connection.keys,
            let reply = xcb_get_keyboard_mapping_reply(
                connection.raw, xcb_get_keyboard_mapping(connection.raw, keys.first, keys.count), nil)
        else { return [:] }
        defer { free(reply) }
        let each = Int(reply.pointee.keysyms_per_keycode)
        let count = Int(xcb_get_keyboard_mapping_keysyms_length(reply))
        guard each > 0, let first = xcb_get_keyboard_mapping_keysyms(reply) else { return [:] }
        let symbols = UnsafeBufferPointer(start: first, count: count)
        var found: [xcb_keycode_t: LockKey] = [:]
        for place in 0..<Int(keys.count) where (place + 1) * each <= count {
            let own = symbols[place * each..<place * each + min(each, 4)]
            let code = xcb_keycode_t(truncatingIfNeeded: Int(keys.first) + place)
            if let key = own.lazy.compactMap(ofSymbol).first { found[code] = key }
        }
        return found
    }

    /// As X11/keysymdef.h numbers them.
    private static func ofSymbol(_ symbol: UInt32) -> LockKey? {
        switch symbol {
        case 0x30...0x39: .digit(UInt8(symbol - 0x30))
        case 0xffb0...0xffb9: .digit(UInt8(symbol - 0xffb0))
        case 0xff0d, 0xff8d: .enter
        case 0xff08, 0xffff: .erase
        default: nil
        }
    }

    /// By the numbers of a Wayland keyboard, whose keymap is in that file; empty: it has none that can be read.
    ///
    /// - Parameter size: In bytes.
    static func ofKeymap(_ file: CInt, size: UInt32) -> [UInt32: LockKey] {
        guard size > 1, size <= 16 << 20,
            let place = mmap(nil, Int(size), PROT_READ, MAP_PRIVATE, file, 0), place != MAP_FAILED
        else { return [:] }
        defer { munmap(place, Int(size)) }
        guard let context = xkb_context_new(XKB_CONTEXT_NO_DEFAULT_INCLUDES) else { return [:] }
        defer { xkb_context_unref(context) }
        let text = place.assumingMemoryBound(to: CChar.self)
        // Without the end that the text may have.
        let length = strnlen(text, Int(size))
        guard
            let keymap = xkb_keymap_new_from_buffer(
                context, text, length, XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS)
        else { return [:] }
        defer { xkb_keymap_unref(keymap) }
        var found: [UInt32: LockKey] = [:]
        let (first, last) = (xkb_keymap_min_keycode(keymap), xkb_keymap_max_keycode(keymap))
        guard first <= last, last <= 0xffff else { return [:] }
        for code in first...last {
            guard let key = symbols(of: code, in: keymap).lazy.compactMap(ofSymbol).first else { continue }
            // The compositor counts as the kernel does, keymaps 8 further.
            found[code &- 8] = key
        }
        return found
    }

    /// On the first two levels of the first two layouts.
    private static func symbols(of code: UInt32, in keymap: OpaquePointer) -> [UInt32] {
        var all: [UInt32] = []
        for layout in 0..<min(xkb_keymap_num_layouts_for_key(keymap, code), 2) {
            for level in 0..<min(xkb_keymap_num_levels_for_key(keymap, code, layout), 2) {
                var symbols: UnsafePointer<UInt32>?
                guard xkb_keymap_key_get_syms_by_level(keymap, code, layout, level, &symbols) == 1, let symbols else {
                    continue
                }
                all.append(symbols.pointee)
            }
        }
        return all
    }
}
