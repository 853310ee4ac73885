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

    var panelSize: (width: UInt16, height: UInt16)? {
        switch self {
        case .whole, .lock: nil
        case .panel: (NoticePicture.width, NoticePicture.height)
        }
    }

    /// What is pressed on a lock; nil: there can be none.
    var stream: LockKeyStream? {
        switch self {
        case .whole(let stream), .lock(let stream): stream
        case .panel: nil
        }
    }

    var isLock: Bool { if case .lock = self { true } else { false } }

    /// A point of a screen was pressed.
    func press(_ face: CoverFace?, atX x: Double, _ y: Double, onScreen screen: (width: Int, height: Int)) {
        if case .panel(let pressed) = self { return pressed() }
        guard case .lock(let lock) = face,
            let key = LockLayout(screen: screen).key(atX: x, y, hasKeys: lock.hasKeys)
        else { return }
        stream?.press(key)
    }

    /// A key of the keyboard was pressed.
    func type(_ face: CoverFace?, _ key: LockKey) {
        guard case .lock(let lock) = face, lock.hasKeys else { return }
        stream?.press(key)
    }
}
