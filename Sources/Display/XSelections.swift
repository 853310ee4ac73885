import CXCB
import Glibc
package import LinuxSystem

/// The selections and cut buffers of an X server.
///
/// Each visit has a connection and a thread of its own: a server that hangs costs a thread, not the agent.
package struct XSelections: ClipboardSide {
    let address: XAddress

    package init(address: XAddress) { self.address = address }

    private static let names = ["CLIPBOARD", "PRIMARY", "SECONDARY"]
    private static let cutBuffers = (0...7).map { "CUT_BUFFER\($0)" }
    private static let unreachable = "the X server does not answer"

    package func clear(limit: TimeLimit) async -> String? {
        let isDone = await OwnThread.run(limit: limit) { [address] in
            XConnection(address).map(Self.clear) ?? false
        }
        return isDone == true ? nil : Self.unreachable
    }

    package func look(limit: TimeLimit) async -> ClipboardLook {
        let seen = await OwnThread.run(limit: limit) { [address] in
            XConnection(address).flatMap(Self.look)
        }
        return (seen ?? nil) ?? ClipboardLook(fault: Self.unreachable)
    }

    package func warning() async -> String? {
        let seen = await look(limit: TimeLimit(.seconds(3)))
        if let fault = seen.fault { return "\(fault) on display \(address.display)" }
        return seen.hasManager
            ? "a clipboard manager runs and may remember what workers copied: switch it off for this session" : nil
    }

    /// Takes each selection and lets go of it: its owner's data is out of reach, and no program asks for it.
    private static func clear(_ connection: XConnection) -> Bool {
        let raw = connection.raw
        guard let screen = connection.screens.first else { return false }
        let window = xcb_generate_id(raw)
        xcb_create_window(
            raw, 0, window, screen.root, -1, -1, 1, 1, 0, UInt16(XCB_WINDOW_CLASS_INPUT_ONLY.rawValue),
            screen.root_visual, 0, nil)
        for name in names {
            guard let atom = connection.atom(name) else { return false }
            if owner(of: atom, connection) == 0 { continue }
            xcb_set_selection_owner(raw, window, atom, XConnection.now)
            xcb_set_selection_owner(raw, 0, atom, XConnection.now)
        }
        for name in cutBuffers {
            guard let atom = connection.atom(name) else { return false }
            for screen in connection.screens { xcb_delete_property(raw, screen.root, atom) }
        }
        return connection.catchUp()
    }

    private static func look(_ connection: XConnection) -> ClipboardLook? {
        var seen = ClipboardLook()
        for name in names {
            guard let atom = connection.atom(name), let owner = owner(of: atom, connection) else { return nil }
            if owner != 0 { seen.held.append(name) }
        }
        for name in cutBuffers {
            guard let atom = connection.atom(name) else { return nil }
            for screen in connection.screens {
                guard let isThere = hasProperty(atom, screen.root, connection) else { return nil }
                if isThere { seen.held.append(name) }
            }
        }
        guard let atom = connection.atom("CLIPBOARD_MANAGER"), let owner = owner(of: atom, connection) else {
            return nil
        }
        seen.hasManager = owner != 0
        return seen
    }

    private static func owner(of selection: xcb_atom_t, _ connection: XConnection) -> xcb_window_t? {
        let cookie = xcb_get_selection_owner(connection.raw, selection)
        guard let reply = xcb_get_selection_owner_reply(connection.raw, cookie, nil) else { return nil }
        defer { free(reply) }
        return reply.pointee.owner
    }

    private static func hasProperty(
        _ property: xcb_atom_t, _ window: xcb_window_t, _ connection: XConnection
    ) -> Bool? {
        let cookie = xcb_get_property(connection.raw, 0, window, property, 0, 0, 0)
        guard let reply = xcb_get_property_reply(connection.raw, cookie, nil) else { return nil }
        defer { free(reply) }
        return reply.pointee.type != 0
    }
}
