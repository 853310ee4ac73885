/// What a managed browser has to do with the provider beside sign-ins. The addresses are public: no secret is in them.
public struct ProviderPages: Hashable, Sendable {
    /// Its log-out page; empty: it has none.
    public var endSession: String
    /// Others that end the same session.
    public var logOuts: [String]

    public init(endSession: String, logOuts: [String] = []) {
        self.endSession = endSession
        self.logOuts = logOuts
    }
}
