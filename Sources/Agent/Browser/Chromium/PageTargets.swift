/// The tabs and pop-ups of one browser: not too many, none of the browser's own tools, and on a free device only the agent's own.
struct PageTargets: Sendable {
    static let most = 32
    /// Nothing but the agent's own page may be open.
    var isFree = true
    private var open: Set<String> = []
    /// The page that the agent has opened last.
    private var own: String?
    /// How many pages the agent is about to open: as long as it does not know their names, it takes none for a stranger.
    private var opening = 0

    /// Whether a target must be closed: it is one too many, or shows what nobody may see.
    mutating func mustClose(_ target: TargetInfo) -> Bool {
        guard target.type == "page" else { return false }
        if Self.isForbidden(target.url) || isStranger(target.targetId) { return true }
        if open.contains(target.targetId) { return false }
        if open.count >= Self.most { return true }
        open.insert(target.targetId)
        return false
    }

    /// - Returns: Whether no page is left that should be seen.
    mutating func remove(_ target: String) -> Bool {
        guard open.remove(target) != nil || target == own else { return false }
        let wasOwn = target == own
        if wasOwn { own = nil }
        return opening == 0 && (isFree ? wasOwn : open.isEmpty)
    }

    /// Whether this was the page that should be seen.
    func isLost(crashed target: String) -> Bool { target == own }

    mutating func beginOpening() { opening += 1 }

    /// - Parameter target: The page that was opened; nil: it was not.
    /// - Returns: What must be closed now.
    mutating func endOpening(_ target: String?) -> [String] {
        opening -= 1
        if let target { own = target }
        return open.filter(isStranger)
    }

    private func isStranger(_ target: String) -> Bool { isFree && opening == 0 && target != own }

    /// A second layer below the policies: no policy stops the keys that open some of these.
    private static func isForbidden(_ url: String) -> Bool {
        let harmless = ["chrome://newtab", "chrome://new-tab-page", "chrome://print"]
        if harmless.contains(where: { url.hasPrefix($0) }) { return false }
        return ["chrome:", "devtools:", "view-source:", "file:", "chrome-untrusted:"].contains { url.hasPrefix($0) }
    }
}
