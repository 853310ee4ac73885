import CXCB

extension XServerState {
    /// What of a server's state was another after a turn than before it.
    struct Change: Equatable, Sendable {
        /// Properties of a screen's root window that are nobody's in particular.
        var properties = 0
        /// Properties that the window manager sees to, which has them put right itself.
        var managed = 0
        var keys = false
        var settings = false
        var access = false
    }

    func changes(since earlier: XServerState, supported: xcb_atom_t) -> Change {
        var result = Change()
        let managed = earlier.managed(supported)
        for (now, then) in zip(properties, earlier.properties) {
            for atom in Set(now.keys).union(then.keys) where now[atom] != then[atom] {
                if Self.isManaged(atom, now[atom], managed) { result.managed += 1 } else { result.properties += 1 }
            }
        }
        result.keys = !hasKeys(of: earlier)
        result.settings =
            (keyboard, pointer, saver, buttons) != (earlier.keyboard, earlier.pointer, earlier.saver, earlier.buttons)
        result.access = (hosts, isAccessControlled) != (earlier.hosts, earlier.isAccessControlled)
        return result
    }

    /// Texts are none that a window manager has to have as they are now.
    private static func isManaged(_ atom: xcb_atom_t, _ now: Property?, _ managed: Set<xcb_atom_t>) -> Bool {
        managed.contains(atom) && now?.format ?? 32 == 32
    }

    /// The server may answer with more or fewer symbols for each key than it was given: the rest is none.
    private func hasKeys(of other: XServerState) -> Bool {
        guard modifierSets == other.modifierSets, keysymsPerKey > 0, other.keysymsPerKey > 0 else { return false }
        return Self.symbols(keysyms, keysymsPerKey) == Self.symbols(other.keysyms, other.keysymsPerKey)
    }

    private static func symbols(_ all: [xcb_keysym_t], _ perKey: UInt8) -> [[xcb_keysym_t]] {
        stride(from: 0, to: all.count, by: Int(perKey)).map { start in
            var key = Array(all[start..<min(all.count, start + Int(perKey))])
            while key.last == 0 { key.removeLast() }
            return key
        }
    }

    /// The keys of each of the eight modifiers, of which an order means nothing.
    private var modifierSets: [Set<UInt8>] {
        let perModifier = max(1, modifiers.count / 8)
        return stride(from: 0, to: modifiers.count, by: perModifier).map { start in
            Set(modifiers[start..<min(modifiers.count, start + perModifier)]).subtracting([0])
        }
    }

    /// Asks the server to be again as in this state, but for the keys. Whether it is, its next state says.
    ///
    /// - Parameters:
    ///   - now: As the server is.
    ///   - change: `now.changes(since: self)`.
    func restore(from now: XServerState, _ change: Change, supported: xcb_atom_t, _ connection: XConnection) {
        let raw = connection.raw
        if change.access { restoreAccess(from: now, raw) }
        if change.settings { restoreSettings(raw) }
        guard change.properties > 0 else { return }
        let managed = managed(supported)
        for (screen, (present, past)) in zip(connection.screens, zip(now.properties, properties)) {
            for atom in Set(present.keys).union(past.keys)
            where present[atom] != past[atom] && !Self.isManaged(atom, present[atom], managed) {
                guard let property = past[atom], [8, 16, 32].contains(property.format) else {
                    xcb_delete_property(raw, screen.root, atom)
                    continue
                }
                xcb_change_property(
                    raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), screen.root, atom, property.type, property.format,
                    UInt32(clamping: property.bytes.count / Int(property.format / 8)), property.bytes)
            }
        }
    }

    /// The picture of the root window cannot be asked for: it is what the property says that programs keep for it, or black.
    func restoreBackground(_ connection: XConnection) {
        guard let name = connection.atom("_XROOTPMAP_ID") else { return }
        for (screen, known) in zip(connection.screens, properties) {
            let pixmap = known[name].flatMap { property in
                property.format == 32 && property.bytes.count >= 4
                    ? property.bytes.withUnsafeBytes { $0.loadUnaligned(as: xcb_pixmap_t.self) } : nil
            }
            // In this order, so that black stays where the picture is gone.
            xcb_change_window_attributes(
                connection.raw, screen.root, XCB_CW_BACK_PIXEL.rawValue, [screen.black_pixel])
            if let pixmap {
                xcb_change_window_attributes(connection.raw, screen.root, XCB_CW_BACK_PIXMAP.rawValue, [pixmap])
            }
            xcb_clear_area(connection.raw, 0, screen.root, 0, 0, 0, 0)
        }
    }

    private func restoreAccess(from now: XServerState, _ raw: OpaquePointer) {
        let mode = isAccessControlled ? XCB_ACCESS_CONTROL_ENABLE : XCB_ACCESS_CONTROL_DISABLE
        xcb_set_access_control(raw, UInt8(mode.rawValue))
        for (host, change) in now.hosts.subtracting(hosts).map({ ($0, XCB_HOST_MODE_DELETE) })
            + hosts.subtracting(now.hosts).map({ ($0, XCB_HOST_MODE_INSERT) })
        {
            xcb_change_hosts(
                raw, UInt8(change.rawValue), host.family, UInt16(clamping: host.address.count), host.address)
        }
    }

    private func restoreSettings(_ raw: OpaquePointer) {
        let set = [XCB_KB_KEY_CLICK_PERCENT, XCB_KB_BELL_PERCENT, XCB_KB_BELL_PITCH, XCB_KB_BELL_DURATION]
        let repeating = keyboard.repeats ? XCB_AUTO_REPEAT_MODE_ON : XCB_AUTO_REPEAT_MODE_OFF
        let values =
            [keyboard.click, keyboard.bell].map(UInt32.init) + [keyboard.pitch, keyboard.duration].map(UInt32.init)
        xcb_change_keyboard_control(
            raw, (set + [XCB_KB_AUTO_REPEAT_MODE]).reduce(0) { $0 | $1.rawValue }, values + [repeating.rawValue])
        for (number, byte) in keyboard.repeatingKeys.enumerated() {
            for bit in 0..<8 {
                let mode = byte & (1 << bit) == 0 ? XCB_AUTO_REPEAT_MODE_OFF : XCB_AUTO_REPEAT_MODE_ON
                let key = UInt32(number * 8 + bit)
                xcb_change_keyboard_control(
                    raw, XCB_KB_KEY.rawValue | XCB_KB_AUTO_REPEAT_MODE.rawValue, [key, mode.rawValue])
            }
        }
        xcb_change_pointer_control(
            raw, Int16(clamping: pointer.numerator), Int16(clamping: pointer.denominator),
            Int16(clamping: pointer.threshold), 1, 1)
        xcb_set_screen_saver(
            raw, Int16(clamping: saver.timeout), Int16(clamping: saver.interval), saver.blanks, saver.exposes)
        let cookie = xcb_set_pointer_mapping(raw, UInt8(clamping: buttons.count), buttons)
        free(xcb_set_pointer_mapping_reply(raw, cookie, nil))
    }
}
