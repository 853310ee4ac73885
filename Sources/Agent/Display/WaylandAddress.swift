/// Where a Wayland compositor's socket is.
struct WaylandAddress: Sendable, Equatable {
    /// An absolute path.
    let path: String

    /// Nil when these variables name none.
    init?(environment: [String: String]) {
        guard let name = environment["WAYLAND_DISPLAY"], !name.isEmpty else { return nil }
        if name.hasPrefix("/") {
            path = name
        } else {
            guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
            path = folder + "/" + name
        }
    }
}
