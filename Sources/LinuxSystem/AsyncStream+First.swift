extension AsyncStream where Element: Sendable {
    /// The next element, or nil when none came in time; a suspended machine does not use the time up. The stream is of no use afterwards.
    package func first(within limit: Duration) async -> Element? {
        await withTaskGroup(of: Element?.self) { group in
            group.addTask {
                for await element in self { return element }
                return nil
            }
            group.addTask {
                try? await OwnTasks.sleepAwake(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next().flatMap(\.self)
        }
    }
}
