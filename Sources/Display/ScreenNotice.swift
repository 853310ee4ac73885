/// A panel above everything else on every screen, also above a full-screen page. It takes neither keyboard nor pointer from what is
/// below it, and hears a click or touch on itself.
package actor ScreenNotice {
    private let make: @Sendable () async -> (any Screen)?
    private var screen: (any Screen)?
    /// Nil: nothing is to be seen.
    private var wanted: String?
    private var shown: String?
    private var isWorking = false

    init(make: @escaping @Sendable () async -> (any Screen)?) { self.make = make }

    /// Shows it, or other lines on the one that is there.
    ///
    /// - Parameter lines: On a panel a large one, any number of small ones, and the button's; on a bar a name, and what its buttons
    ///   say, from right to left.
    /// - Returns: False: it is not to be seen.
    package func show(_ lines: [String]) async -> Bool {
        // A name with a line break in it would be two lines, the second of them a button.
        wanted = lines.map { String($0.map { $0.isNewline ? " " : $0 }) }.joined(separator: "\n")
        await settle()
        return shown != nil
    }

    package func close() async {
        wanted = nil
        await settle()
    }

    /// One at a time; what is wanted meanwhile, the one that works does.
    private func settle() async {
        if isWorking { return }
        isWorking = true
        defer { isWorking = false }
        while shown != wanted {
            guard let next = wanted else {
                await screen?.uncover()
                // The connection to the display goes with it.
                (screen, shown) = (nil, nil)
                continue
            }
            if screen?.isLost != false { screen = await make() }
            let isShown = await screen?.cover(next) ?? false
            shown = isShown ? next : nil
            if !isShown { return }
        }
    }
}
