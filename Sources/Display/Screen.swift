/// The session's display, as far as the agent itself uses it.
public protocol Screen: Sendable {
    /// `x11`, `wayland`; for status.
    var kind: String { get }

    /// Covers all outputs at once, takes keyboard and pointer, and shows this line; again with another line changes it. False
    /// when it could not.
    func cover(_ text: String) async -> Bool
    func uncover() async

    /// The display has gone, and with it the session; nothing brings this screen back.
    var isLost: Bool { get }
}

extension Screen {
    public var isLost: Bool { false }
}
