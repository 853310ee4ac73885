/// How much unanswered calls may hold.
public struct CallShare: Sendable, Hashable {
    public var calls: Int
    /// That came with them and are still in use.
    public var descriptors: Int

    public init(calls: Int, descriptors: Int) {
        self.calls = calls
        self.descriptors = descriptors
    }
}
