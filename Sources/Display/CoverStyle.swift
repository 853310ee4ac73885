/// What is shown above everything else on a screen.
enum CoverStyle: Sendable {
    /// Hides all of it, with some lines or the keys of a lock, and takes keyboard and pointer.
    case whole(LockKeyStream)
    /// The same of a compositor that keeps the screen locked also when this program is gone, where it can.
    case lock(LockKeyStream)
    /// A panel at its upper edge, which takes nothing. Of its lines the first is large, and the last is on a button.
    ///
    /// - Parameter pressed: Called when it is clicked or touched, wherever.
    case panel(pressed: @Sendable () -> Void)
    /// A bar at these edges, with a name and buttons, which takes nothing.
    case bar(Panel.Edges, pressed: @Sendable (BarPress) -> Void)

    /// Nil: all of a screen.
    var panel: Panel? {
        switch self {
        case .whole, .lock: nil
        case .panel: NoticePicture.panel
        case .bar(let edges, _):
            Panel(
                width: BarPicture.width, height: BarPicture.height, edges: edges, margin: 0, draw: BarPicture.draw)
        }
    }

    /// What is pressed on a lock; nil: there can be none.
    var stream: LockKeyStream? {
        switch self {
        case .whole(let stream), .lock(let stream): stream
        case .panel, .bar: nil
        }
    }

    var isLock: Bool { if case .lock = self { true } else { false } }

    /// A point of a screen was pressed.
    func press(_ face: CoverFace?, atX x: Double, _ y: Double, onScreen screen: (width: Int, height: Int)) {
        switch (self, face) {
        case (.panel(let pressed), _): pressed()
        case (.bar(_, let pressed), .lines(let text)):
            let count = text.split(separator: "\n").count - 1
            if let press = BarPress(button: BarPicture.button(atX: x, of: count), of: count) { pressed(press) }
        case (_, .lock(let lock)):
            if let key = LockLayout(screen: screen).key(atX: x, y, on: lock) { stream?.press(key) }
        default: break
        }
    }

    /// A key of the keyboard was pressed.
    func type(_ face: CoverFace?, _ key: LockKey) {
        guard case .lock(let lock) = face else { return }
        switch key {
        case .cancel: if lock.elsewhere != nil { stream?.press(key) }
        // The button with which the worker comes back; a key that is held gives up nothing.
        case .enter: if let back = lock.backKey, back != .cancel { stream?.press(back) }
        default: if lock.hasKeys, lock.elsewhere == nil { stream?.press(key) }
        }
    }
}
