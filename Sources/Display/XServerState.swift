import CXCB
import Glibc

/// What every program can change on an X server, and what then stays changed when it has ended.
struct XServerState: Equatable, Sendable {
    struct Property: Equatable {
        var type: xcb_atom_t
        /// In bits: 8, 16 or 32.
        var format: UInt8
        var bytes: [UInt8]
    }

    /// By screen.
    var properties: [[xcb_atom_t: Property]] = []
    /// Of each key one after the other, so many for each.
    var keysyms: [xcb_keysym_t] = []
    var keysymsPerKey: UInt8 = 0
    var modifiers: [UInt8] = []
    var buttons: [UInt8] = []
    var keyboard = Keyboard()
    var pointer = Pointer()
    var saver = Saver()
    /// Who may connect beside who has the cookie.
    var hosts: Set<Host> = []
    var isAccessControlled = true

    struct Keyboard: Equatable {
        /// Volumes in per cent, Hz, and milliseconds.
        var click: UInt8 = 0, bell: UInt8 = 0
        var pitch: UInt16 = 0, duration: UInt16 = 0
        var repeats = true
        /// A bit for each key.
        var repeatingKeys: [UInt8] = []
    }

    struct Pointer: Equatable {
        var numerator: UInt16 = 0, denominator: UInt16 = 0, threshold: UInt16 = 0
    }

    struct Saver: Equatable {
        /// Seconds.
        var timeout: UInt16 = 0, interval: UInt16 = 0
        var blanks: UInt8 = 0, exposes: UInt8 = 0
    }

    struct Host: Hashable {
        var family: UInt8
        var address: [UInt8]
    }

    /// The properties that the window manager of then says it sees to: it changes them itself.
    func managed(_ supported: xcb_atom_t) -> Set<xcb_atom_t> {
        var result: Set<xcb_atom_t> = []
        for screen in properties {
            guard let list = screen[supported], list.format == 32 else { continue }
            result.insert(supported)
            list.bytes.withUnsafeBytes { bytes in
                for offset in stride(from: 0, to: bytes.count - 3, by: 4) {
                    result.insert(bytes.loadUnaligned(fromByteOffset: offset, as: xcb_atom_t.self))
                }
            }
        }
        return result
    }
}
