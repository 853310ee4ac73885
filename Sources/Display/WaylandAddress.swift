/// Where a Wayland compositor's socket is.
public struct WaylandAddress: Sendable, Equatable {
    /// An absolute path.
    public let path: String

    /// Nil when these variables name none.
    public init?(environment: [String: String]) {
        guard let name = environment["WAYLAND_DISPLAY"], !name.isEmpty else { return nil }
        if name.hasPrefix("/") {
            path = name
        } else {
            guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
            path = folder + "/" + name
        }
    }
}
