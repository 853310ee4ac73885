/// Work that goes on when its caller is cancelled: once a provider may have made tokens, its answer must reach code
/// that can give them back. Bounded by the time-outs of its requests.
enum Shielded {
    static func run<Value: Sendable>(
        on executor: (any TaskExecutor)?, _ work: @escaping @Sendable () async throws(IdentityError) -> Value
    ) async throws(IdentityError) -> Value {
        let outcome = await Task(executorPreference: executor) { () async -> Result<Value, IdentityError> in
            do throws(IdentityError) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }.value
        return try outcome.get()
    }
}
