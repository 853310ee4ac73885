import CXCB
import LinuxSystem

/// Which users of this machine may open an X server's display beside the one that has its cookie: Xsecurity(7), `localuser`.
enum XAccess {
    /// Of the addresses that name a user: text, for the server itself to read.
    static let family = UInt8(XCB_FAMILY_SERVER_INTERPRETED.rawValue)

    /// Lets these users in, and those not any more whose connections stay. False: the server is not there, or has not answered.
    static func change(at address: XAddress, admit: [String], refuse: [String], limit: TimeLimit) async -> Bool {
        await OwnThread.run(limit: limit) {
            guard let connection = XConnection(address) else { return false }
            for name in refuse { change(connection, XCB_HOST_MODE_DELETE, name) }
            for name in admit { change(connection, XCB_HOST_MODE_INSERT, name) }
            return connection.catchUp()
        } ?? false
    }

    static func address(of user: String) -> [UInt8] { Array("localuser\0\(user)".utf8) }

    private static func change(_ connection: XConnection, _ mode: xcb_host_mode_t, _ user: String) {
        let address = address(of: user)
        xcb_change_hosts(connection.raw, UInt8(mode.rawValue), family, UInt16(clamping: address.count), address)
    }
}
