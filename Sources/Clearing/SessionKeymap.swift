package import LinuxSystem
package import Vocabulary

/// The keyboard of a display: before a worker's turn, in it, and after it. Its state is kept for an agent after this one.
package protocol SessionKeymap: Sendable {
    /// False: how it is cannot be kept.
    func remember(limit: TimeLimit) async -> Bool

    /// Gives it that layout; nil, or why it has its own still.
    func set(_ layout: KeyboardLayout, limit: TimeLimit) async -> String?

    /// Puts it back to how it was remembered; false: it may be another.
    func putBack(limit: TimeLimit) async -> Bool

    /// Why no layout can be set, and what to do; nil: it can.
    var warning: String? { get }
}
