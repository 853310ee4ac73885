import CXCB
import Glibc

extension XServerState {
    /// Nil when the server does not answer.
    ///
    /// - Parameter ignored: Who is let in or not by others than the worker's programs.
    init?(_ connection: XConnection, ignoring ignored: Set<Host>) {
        self.init()
        guard readProperties(connection), readKeys(connection), readSettings(connection), readAccess(connection) else {
            return nil
        }
        hosts.subtract(ignored)
    }

    /// Of one property, in bytes: an icon or a colour profile. What is longer is removed if it is new, and put back cut off.
    private static let longest = 1 << 20

    private mutating func readProperties(_ connection: XConnection) -> Bool {
        let raw = connection.raw
        for screen in connection.screens {
            guard let list = xcb_list_properties_reply(raw, xcb_list_properties(raw, screen.root), nil) else {
                return false
            }
            defer { free(list) }
            let atoms = UnsafeBufferPointer(
                start: xcb_list_properties_atoms(list), count: Int(xcb_list_properties_atoms_length(list)))
            var found: [xcb_atom_t: Property] = [:]
            for atom in atoms {
                let cookie = xcb_get_property(raw, 0, screen.root, atom, 0, 0, UInt32(Self.longest / 4))
                guard let reply = xcb_get_property_reply(raw, cookie, nil) else { return false }
                defer { free(reply) }
                let count = Int(xcb_get_property_value_length(reply))
                let bytes = xcb_get_property_value(reply).map {
                    [UInt8](UnsafeRawBufferPointer(start: $0, count: count))
                }
                found[atom] = Property(type: reply.pointee.type, format: reply.pointee.format, bytes: bytes ?? [])
            }
            properties.append(found)
        }
        return true
    }

    private mutating func readKeys(_ connection: XConnection) -> Bool {
        let raw = connection.raw
        guard let keymap = connection.keymap() else { return false }
        (keysymsPerKey, keysyms) = (keymap.symbolsPerKey, keymap.symbols)
        guard let found = xcb_get_modifier_mapping_reply(raw, xcb_get_modifier_mapping(raw), nil) else { return false }
        defer { free(found) }
        modifiers = Array(
            UnsafeBufferPointer(
                start: xcb_get_modifier_mapping_keycodes(found),
                count: Int(xcb_get_modifier_mapping_keycodes_length(found))))
        guard let pointing = xcb_get_pointer_mapping_reply(raw, xcb_get_pointer_mapping(raw), nil) else { return false }
        defer { free(pointing) }
        buttons = Array(
            UnsafeBufferPointer(
                start: xcb_get_pointer_mapping_map(pointing), count: Int(xcb_get_pointer_mapping_map_length(pointing))))
        return true
    }

    private mutating func readSettings(_ connection: XConnection) -> Bool {
        let raw = connection.raw
        guard let control = xcb_get_keyboard_control_reply(raw, xcb_get_keyboard_control(raw), nil) else {
            return false
        }
        defer { free(control) }
        keyboard = Keyboard(
            click: control.pointee.key_click_percent, bell: control.pointee.bell_percent,
            pitch: control.pointee.bell_pitch, duration: control.pointee.bell_duration,
            repeats: control.pointee.global_auto_repeat == UInt8(XCB_AUTO_REPEAT_MODE_ON.rawValue),
            repeatingKeys: withUnsafeBytes(of: control.pointee.auto_repeats) { [UInt8]($0) })
        guard let motion = xcb_get_pointer_control_reply(raw, xcb_get_pointer_control(raw), nil) else { return false }
        defer { free(motion) }
        pointer = Pointer(
            numerator: motion.pointee.acceleration_numerator, denominator: motion.pointee.acceleration_denominator,
            threshold: motion.pointee.threshold)
        guard let saving = xcb_get_screen_saver_reply(raw, xcb_get_screen_saver(raw), nil) else { return false }
        defer { free(saving) }
        saver = Saver(
            timeout: saving.pointee.timeout, interval: saving.pointee.interval, blanks: saving.pointee.prefer_blanking,
            exposes: saving.pointee.allow_exposures)
        return true
    }

    private mutating func readAccess(_ connection: XConnection) -> Bool {
        guard let list = xcb_list_hosts_reply(connection.raw, xcb_list_hosts(connection.raw), nil) else { return false }
        defer { free(list) }
        isAccessControlled = list.pointee.mode == UInt8(XCB_ACCESS_CONTROL_ENABLE.rawValue)
        var next = xcb_list_hosts_hosts_iterator(list)
        while next.rem > 0, let host = next.data {
            let address = [UInt8](
                UnsafeRawBufferPointer(start: xcb_host_address(host), count: Int(xcb_host_address_length(host))))
            hosts.insert(Host(family: host.pointee.family, address: address))
            xcb_host_next(&next)
        }
        return true
    }
}
