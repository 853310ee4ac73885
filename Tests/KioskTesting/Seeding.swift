/// What a page could leave in a browser.
public struct Seeding: Sendable {
    /// Left, and read back by the same page.
    public var seeded: Set<StateKind>
    /// Why the others were not.
    public var failed: [StateKind: String]
}
