/// The session's display, as far as the agent itself uses it.
public protocol Screen: Sendable {
    /// `x11`, `wayland`; for status.
    var kind: String { get }

    /// Covers all outputs at once, takes keyboard and pointer, and shows this line; again with another line changes it. False
    /// when it could not.
    func cover(_ text: String) async -> Bool
    func uncover() async

    /// Covers all outputs for a lock, or changes what it says. False when it could not.
    func lock(_ face: LockFace) async -> Bool
    /// The display keeps a lock that stands now when this program is gone.
    var lockLasts: Bool { get }
    /// What is pressed on the lock. For one listener.
    var lockKeys: AsyncStream<LockKey> { get }

    /// An agent before this one has covered the screen, and the display has kept that: `uncover` or a cover of one's own ends it.
    var isCoveredBefore: Bool { get }

    /// The display has gone, and with it the session; nothing brings this screen back.
    var isLost: Bool { get }
}

extension Screen {
    public func lock(_ face: LockFace) async -> Bool { false }
    public var lockKeys: AsyncStream<LockKey> { AsyncStream { $0.finish() } }
    public var lockLasts: Bool { false }
    public var isCoveredBefore: Bool { false }
    public var isLost: Bool { false }
}
