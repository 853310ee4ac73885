package import LinuxSystem

/// One display server's selections.
package protocol ClipboardSide: Sendable {
    /// Empties them without asking what is in them; nil, or why not.
    func clear(limit: TimeLimit) async -> String?
    func look(limit: TimeLimit) async -> ClipboardLook
    /// Why they cannot be cleared or looked at, and what to do.
    func warning() async -> String?
}

/// What a look at selections found.
package struct ClipboardLook: Sendable, Equatable {
    /// The selections that a program owns; never what is in them.
    package var held: [String] = []
    /// Why it could not be seen.
    package var fault: String?
    /// A clipboard manager runs, which may put back what was cleared.
    package var hasManager = false

    package init(held: [String] = [], fault: String? = nil, hasManager: Bool = false) {
        self.held = held
        self.fault = fault
        self.hasManager = hasManager
    }

    package mutating func add(_ other: ClipboardLook) {
        held += other.held
        fault = fault ?? other.fault
        hasManager = hasManager || other.hasManager
    }
}
