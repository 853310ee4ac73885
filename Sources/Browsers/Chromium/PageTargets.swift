/// The tabs and pop-ups of one browser: not too many, none of the browser's own tools, and on a free device only the agent's own.
struct PageTargets: Sendable {
    static let most = 32
    var pages = OpenPages()

    /// Whether a target must be closed: it is one too many, or shows what no worker may see.
    mutating func mustClose(_ target: TargetInfo) -> Bool {
        guard target.type == "page" else { return false }
        if Self.isForbidden(target.url) || pages.isStranger(target.targetId) { return true }
        if pages.names.contains(target.targetId) { return false }
        if pages.names.count >= Self.most { return true }
        pages.insert(target.targetId)
        return false
    }

    /// A second layer below the policies: no policy stops the keys that open some of these.
    private static func isForbidden(_ url: String) -> Bool {
        let harmless = ["chrome://newtab", "chrome://new-tab-page", "chrome://print"]
        if harmless.contains(where: { url.hasPrefix($0) }) { return false }
        return ["chrome:", "devtools:", "view-source:", "file:", "chrome-untrusted:"].contains { url.hasPrefix($0) }
    }
}
