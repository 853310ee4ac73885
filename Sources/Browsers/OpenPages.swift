/// The pages of one browser that are open, and which of them is the agent's own: on a free device the only one that may be.
struct OpenPages: Sendable {
    /// Nothing but the agent's own page may be open.
    var isFree = true
    private(set) var names: Set<String> = []
    /// The page that the agent has opened last.
    private(set) var own: String?
    /// How many pages the agent is about to open: as long as it does not know their names, it takes none for a stranger.
    private var opening = 0

    mutating func insert(_ page: String) { names.insert(page) }

    /// - Returns: Whether no page is left that should be seen.
    mutating func remove(_ page: String) -> Bool {
        guard names.remove(page) != nil || page == own else { return false }
        let wasOwn = page == own
        if wasOwn { own = nil }
        return opening == 0 && (isFree ? wasOwn : names.isEmpty)
    }

    func isStranger(_ page: String) -> Bool { isFree && opening == 0 && page != own }

    mutating func beginOpening() { opening += 1 }

    /// - Parameter page: The page that was opened; nil: it was not.
    /// - Returns: The strangers, which must be closed now.
    mutating func endOpening(_ page: String?) -> [String] {
        opening -= 1
        if let page { own = page }
        return names.filter(isStranger)
    }
}
