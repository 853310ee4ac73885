import CXCB

/// The keyboard of an X server, as far as a locked screen needs it.
struct XKeys {
    private var symbols: [xcb_keycode_t: [UInt32]] = [:]

    /// Control, and by all keymaps that there are Alt and Super.
    private static let commands = UInt16(
        XCB_MOD_MASK_CONTROL.rawValue | XCB_MOD_MASK_1.rawValue | XCB_MOD_MASK_4.rawValue)

    /// None.
    init() {}

    init(_ connection: XConnection) {
        guard let keymap = connection.keymap(), keymap.symbolsPerKey > 0 else { return }
        let each = Int(keymap.symbolsPerKey)
        for place in 0..<keymap.symbols.count / each {
            let code = xcb_keycode_t(truncatingIfNeeded: Int(keymap.first) + place)
            symbols[code] = Array(keymap.symbols[place * each..<(place + 1) * each])
        }
    }

    /// - Parameter state: The modifiers that are held, as in the event (X11 protocol, KEYBUTMASK; the group in bits 13 and 14).
    func key(_ code: xcb_keycode_t, state: UInt16) -> LockKey? {
        guard let own = symbols[code] else { return nil }
        let isShifted = state & UInt16(XCB_MOD_MASK_SHIFT.rawValue) != 0
        // Two symbols to a group, and the third level of the first after both.
        let third = state & UInt16(XCB_MOD_MASK_5.rawValue) != 0 ? 4 : Int(state >> 13 & 1) * 2
        func symbol(_ shift: Bool) -> UInt32 {
            let wanted = third + (shift ? 1 : 0)
            let found = own.indices.contains(wanted) ? own[wanted] : 0
            return found != 0 ? found : own.first ?? 0
        }
        var plain = symbol(isShifted)
        if state & UInt16(XCB_MOD_MASK_LOCK.rawValue) != 0, (0x41...0x5a).contains(symbol(true)) {
            plain = symbol(!isShifted)
        }
        return LockKeys.key(
            of: plain, shifted: isShifted ? nil : symbol(true), isCommand: state & Self.commands != 0)
    }
}
