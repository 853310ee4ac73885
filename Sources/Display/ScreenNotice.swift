/// A panel above everything else on every screen, also above a full-screen page. It takes neither keyboard nor pointer from what is
/// below it, and hears a click or touch on itself.
package actor ScreenNotice {
    private enum Face: Equatable {
        case lines(String)
        case counted(CountedLines)
    }

    private let make: @Sendable () async -> (any PanelScreen)?
    private var screen: (any PanelScreen)?
    /// Nil: nothing is to be seen.
    private var wanted: Face?
    private var shown: Face?
    private var isWorking = false

    init(make: @escaping @Sendable () async -> (any PanelScreen)?) { self.make = make }

    /// Shows it, or other lines on the one that is there.
    ///
    /// - Parameter lines: On a panel a large one, any number of small ones, and the button's; on a bar a name, and what its buttons
    ///   say, from right to left.
    /// - Returns: False: it is not to be seen.
    package func show(_ lines: [String]) async -> Bool {
        await show(.lines(lines.map(CountedLines.line).joined(separator: "\n")))
    }

    /// The same of lines that change each second.
    package func show(_ lines: CountedLines) async -> Bool { await show(.counted(lines)) }

    private func show(_ face: Face) async -> Bool {
        wanted = face
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
            let isShown =
                switch next {
                case .lines(let text): await screen?.cover(text) ?? false
                case .counted(let lines): await screen?.count(lines) ?? false
                }
            shown = isShown ? next : nil
            if !isShown { return }
        }
    }
}

/// A screen on which a panel counts.
protocol PanelScreen: Screen {
    /// Shows the lines, and each second how many are left. False: they are not to be seen.
    func count(_ lines: CountedLines) async -> Bool
}
