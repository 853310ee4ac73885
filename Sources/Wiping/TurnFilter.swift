package import LinuxSystem

/// Picks what one user made or changed since a moment, instead of everything.
package struct TurnFilter: Sendable {
    package let user: UInt32
    private let start: Int64
    /// Nothing is removed, only counted.
    package let isLook: Bool

    /// - Parameter start: Unix time in nanoseconds.
    package init(user: UInt32, since start: Int64, isLook: Bool) {
        self.user = user
        // The kernel stamps files with the time of its last tick, which is up to 10 ms old.
        let (early, overflow) = start.subtractingReportingOverflow(20_000_000)
        self.start = overflow ? .min + 1 : early
        self.isLook = isLook
    }

    /// A directory only when it was made then: what happens in it changes its other times.
    package func takes(_ facts: FileFacts) -> Bool {
        facts.owner == user && (facts.isDirectory ? facts.isMade(since: start) : facts.isMadeOrChanged(since: start))
    }

    /// What the X server and session clients put into `/tmp` whenever they start, and nothing that could be passed off as it.
    ///
    /// - Parameter folder: The top folder on the way to the name, when it does not lie in the root itself.
    package static func belongsToSession(_ name: EntryName, _ facts: FileFacts, at depth: Int, below folder: EntryName?)
        -> Bool
    {
        switch depth {
        case 0:
            if socketFolders.contains(name) { return facts.isDirectory }
            let text = name.text
            let number = text.dropFirst(2).dropLast(5)
            // It holds a process id in eleven bytes.
            return text.hasPrefix(".X") && text.hasSuffix("-lock") && !number.isEmpty && number.allSatisfy(\.isNumber)
                && facts.isRegular && facts.size <= 16
        case 1: return folder.map(socketFolders.contains) == true && facts.isSocket
        default: return false
        }
    }

    private static let socketFolders: Set<EntryName> = [
        EntryName(".X11-unix"), EntryName(".ICE-unix"), EntryName(".font-unix"), EntryName(".XIM-unix"),
    ]
}
