import CXKB
import Glibc

/// The keyboard of a Wayland seat, as far as a locked screen needs it. For the thread of its connection.
final class WaylandKeys {
    private let keymap: OpaquePointer
    private let state: OpaquePointer

    /// Larger than any keymap, in bytes.
    private static let largest: UInt32 = 16 << 20

    /// - Parameters:
    ///   - file: The text of the keymap, as `wl_keyboard.keymap` brings it; stays open.
    ///   - size: In bytes.
    init?(_ file: CInt, size: UInt32) {
        guard size > 1, size <= Self.largest,
            let place = mmap(nil, Int(size), PROT_READ, MAP_PRIVATE, file, 0), place != MAP_FAILED
        else { return nil }
        defer { munmap(place, Int(size)) }
        guard let context = xkb_context_new(XKB_CONTEXT_NO_DEFAULT_INCLUDES) else { return nil }
        defer { xkb_context_unref(context) }
        let text = place.assumingMemoryBound(to: CChar.self)
        guard
            let keymap = xkb_keymap_new_from_buffer(
                context, text, strnlen(text, Int(size)), XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS)
        else { return nil }
        guard let state = xkb_state_new(keymap) else {
            xkb_keymap_unref(keymap)
            return nil
        }
        self.keymap = keymap
        self.state = state
    }

    deinit {
        xkb_state_unref(state)
        xkb_keymap_unref(keymap)
    }

    func hold(depressed: UInt32, latched: UInt32, locked: UInt32, layout: UInt32) {
        xkb_state_update_mask(state, depressed, latched, locked, 0, 0, layout)
    }

    /// - Parameter code: As the kernel counts, which keymaps do 8 further.
    func key(_ code: UInt32) -> LockKey? {
        let key = code &+ 8
        return LockKeys.key(
            of: xkb_state_key_get_one_sym(state, key), shifted: isHeld("Shift") ? nil : shifted(key),
            isCommand: ["Control", "Mod1", "Mod4"].contains { isHeld($0) })
    }

    private func isHeld(_ modifier: String) -> Bool {
        xkb_state_mod_name_is_active(state, modifier, XKB_STATE_MODS_EFFECTIVE) == 1
    }

    private func shifted(_ key: UInt32) -> UInt32 {
        var symbols: UnsafePointer<UInt32>?
        let layout = xkb_state_key_get_layout(state, key)
        guard xkb_keymap_key_get_syms_by_level(keymap, key, layout, 1, &symbols) == 1, let symbols else { return 0 }
        return symbols.pointee
    }
}
