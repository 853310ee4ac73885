/// Where the bar with the worker's name and the sign-out lies on each screen; the words of `start-page.bar`.
public enum BarPlace: String, Hashable, Sendable, CaseIterable {
    /// No bar.
    case off
    case topLeft = "top-left"
    case top
    case topRight = "top-right"
    case bottomLeft = "bottom-left"
    case bottom
    case bottomRight = "bottom-right"
}
