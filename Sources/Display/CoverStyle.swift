/// What is shown above everything else on a screen.
enum CoverStyle: Sendable {
    /// Hides all of it, with one line, and takes keyboard and pointer.
    case whole
    /// A panel at its upper edge, which takes nothing. Of its lines the first is large, and the last is on a button.
    ///
    /// - Parameter pressed: Called when it is clicked or touched, wherever.
    case panel(pressed: @Sendable () -> Void)

    var panelSize: (width: UInt16, height: UInt16)? {
        switch self {
        case .whole: nil
        case .panel: (NoticePicture.width, NoticePicture.height)
        }
    }

    func press() {
        if case .panel(let pressed) = self { pressed() }
    }
}
