/// Waits until something is so that nothing announces.
///
/// It is asked at longer and longer intervals: mostly of another program, which would be busy with the answers otherwise.
public func eventually(_ condition: () async throws -> Bool) async throws {
    var pause = Duration.milliseconds(5)
    while try await !condition() {
        try await Task.sleep(for: pause)
        pause = min(pause * 3 / 2, .milliseconds(60))
    }
}
