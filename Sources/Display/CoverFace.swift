/// What is to be seen on a cover.
enum CoverFace: Sendable, Hashable {
    /// Lines, the first of them large; on a panel the last one is on its button.
    case lines(String)
    case lock(LockFace)

    var isLock: Bool { if case .lock = self { true } else { false } }
}
