import CXCB
import Glibc
package import LinuxSystem

/// What an X server tells programs of its keyboard's layout beside the keys themselves: by it setxkbmap(1) changes one part of the
/// layout and leaves the others.
package struct XLayoutNames: Sendable, Equatable {
    private static let property = "_XKB_RULES_NAMES"
    /// In units of four bytes.
    private static let most: UInt32 = 1024

    /// Rules, model, layouts, variants and options, each with a zero at its end; empty: there are none.
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Nil: the server does not answer.
    package init?(at address: XAddress, limit: TimeLimit) async {
        let found = await OwnThread.run(limit: limit) { () -> [UInt8]? in
            guard let connection = XConnection(address), let root = connection.screens.first?.root,
                let name = connection.atom(Self.property)
            else { return nil }
            let raw = connection.raw
            let cookie = xcb_get_property(raw, 0, root, name, xcb_atom_t(XCB_ATOM_STRING.rawValue), 0, Self.most)
            guard let reply = xcb_get_property_reply(raw, cookie, nil) else { return nil }
            defer { free(reply) }
            let count = Int(xcb_get_property_value_length(reply))
            return xcb_get_property_value(reply).map { [UInt8](UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
        }
        guard let bytes = found ?? nil else { return nil }
        self.bytes = bytes
    }

    /// False: the server does not answer.
    package func write(to address: XAddress, limit: TimeLimit) async -> Bool {
        await OwnThread.run(limit: limit) {
            guard let connection = XConnection(address), let root = connection.screens.first?.root,
                let name = connection.atom(Self.property)
            else { return false }
            if bytes.isEmpty {
                xcb_delete_property(connection.raw, root, name)
            } else {
                xcb_change_property(
                    connection.raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), root, name,
                    xcb_atom_t(XCB_ATOM_STRING.rawValue), 8, UInt32(clamping: bytes.count), bytes)
            }
            return connection.catchUp()
        } ?? false
    }
}
