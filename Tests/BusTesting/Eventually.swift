/// Waits for what announces nothing, such as pixels; the suite's time limit ends it.
public func eventually(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Task.sleep(for: .milliseconds(5)) }
}
