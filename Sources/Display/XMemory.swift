import CXCB
import Glibc
import LinuxSystem

/// What an X server still has of programs that are gone: titles of windows, which may be addresses and names, lie in memory
/// that it has freed and does not overwrite.
///
/// No client reaches that memory. But what a client gives the server to keep takes its places: here zeroes, of all the sizes
/// that titles have, which the server frees again with their windows.
enum XMemory {
    private struct Sizes {
        /// In bytes.
        var sizes: StrideTo<Int>
        /// How many of each.
        var count: Int
    }

    /// About 3 MiB in all, as more would be waited for: many small ones, as texts are, and some of each larger one.
    private static let sizes = [
        Sizes(sizes: stride(from: 8, to: 1024, by: 16), count: 32),
        Sizes(sizes: stride(from: 1024, to: 8192, by: 64), count: 4),
    ]
    /// The properties whose numbers every server has from its start: other names it would keep for ever.
    private static let atoms = xcb_atom_t(1)...68

    /// False when the server is not there, or did not answer in time that it has dealt with all of it.
    static func overwrite(at address: XAddress, limit: TimeLimit) async -> Bool {
        await OwnThread.run(limit: limit) { XConnection(address).map(overwrite) ?? false } ?? false
    }

    private static func overwrite(_ connection: XConnection) -> Bool {
        let raw = connection.raw
        // So that the server has seen that those who are gone are: what they had is freed then.
        guard let root = connection.screens.first, connection.catchUp(), connection.catchUp() else { return false }
        let zeroes = [UInt8](repeating: 0, count: 8192)
        var window: xcb_window_t = 0
        var free = atoms.prefix(0)
        for (size, count) in sizes.lazy.flatMap({ group in group.sizes.lazy.map { ($0, group.count) } }) {
            for _ in 0..<count {
                if free.isEmpty {
                    free = atoms[...]
                    window = xcb_generate_id(raw)
                    xcb_create_window(
                        raw, 0, window, root.root, -1, -1, 1, 1, 0, UInt16(XCB_WINDOW_CLASS_INPUT_ONLY.rawValue),
                        root.root_visual, 0, nil)
                }
                guard let atom = free.popFirst() else { continue }
                xcb_change_property(
                    raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, atom, XCB_ATOM_STRING.rawValue, 8, UInt32(size),
                    zeroes)
            }
        }
        return connection.catchUp()
    }
}
