import Testing

extension Program {
    /// Says what this program printed last if the body fails or its time is over.
    public func telling(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            Issue.record("\(output.suffix(8000))")
            throw error
        }
    }
}
