/// What is pressed on the bar.
package enum BarPress: Sendable, Equatable {
    /// The sign-out, which asks first: a bar that is always there is touched by accident.
    case ask
    case signOut
    case cancel

    /// - Parameters:
    ///   - button: Counted from the right.
    ///   - count: How many the bar showed, so that what was pressed is what was to be seen.
    init?(button: Int?, of count: Int) {
        switch (button, count) {
        case (0, 1): self = .ask
        // Where the first button was: a double click signs no worker out.
        case (0, 2): self = .cancel
        case (1, 2): self = .signOut
        default: return nil
        }
    }
}
