public import LinuxSystem
public import TurnControl

/// A program to be started in a sandbox, and all that it may see there.
///
/// Everything else is gone with the sandbox: HOME, XDG folders, TMPDIR, downloads lie in memory file systems of its own.
/// When the program ends, whatever it started ends with it.
public struct ConfinedProgram: Sendable {
    /// What it may do on the user's session bus.
    public enum BusAccess: Sendable, Equatable {
        /// It has none.
        case none
        /// Through xdg-dbus-proxy, which lets it call those members of `org.baton.Device1` that are for apps,
        /// and no other peer.
        case baton
    }

    /// A path outside that is shown inside.
    public struct Share: Sendable, Equatable {
        public var path: String
        /// The same path when nil.
        public var inside: String?
        public var isWritable: Bool

        public init(_ path: String, as inside: String? = nil, isWritable: Bool = false) {
            self.path = path
            self.inside = inside
            self.isWritable = isWritable
        }

        var shown: String { inside ?? path }

        /// bubblewrap's words for it.
        var binding: [String] { [isWritable ? "--bind" : "--ro-bind", path, shown] }
    }

    /// For logs and receipts: an app's id, `chromium`, `spare`.
    public var name: String
    /// An absolute path and arguments.
    public var command: [String]
    /// Added to what every sandbox has (HOME, PATH, XDG folders, DISPLAY, LANG).
    public var environment: [String: String] = [:]
    /// The child's number of each descriptor that it gets, besides 0, 1 and 2; nothing else is inherited. One of the numbers
    /// 3 to 9 must stay free.
    public var descriptors: [Int32: Descriptor] = [:]
    public var shares: [Share] = []
    public var bus = BusAccess.none
    /// Whether X11 socket, Wayland socket, sound and GPU are shown.
    public var seesDisplay = true
    /// False: a network namespace of its own, without any connection; that of a turn's user is connected, see `TurnNetwork`.
    public var sharesNetwork = true
    /// Only its processes are shut in: it has the user's own files, bus and environment, and runs until the last of its
    /// processes has ended.
    public var seesEverything = false
    /// The turn user as whom PID 1 starts it, in that user's slice; it is shown display and network there. One with a bus has the
    /// system's, as that user, and sees its shares. Nil: it runs as the agent's own user.
    public var user: TurnNumber?

    public init(name: String, command: [String]) {
        self.name = name
        self.command = command
    }
}
