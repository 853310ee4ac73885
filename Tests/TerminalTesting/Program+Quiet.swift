extension Program {
    /// True after a while in which none of its threads began or went to sleep once more, when none of them sleeps with a
    /// time limit: a wake-up every minute would be seen too. Threads that have had something to do end some seconds later,
    /// which is a wake-up of each.
    ///
    /// - Returns: False when the task was cancelled while it still woke up.
    public func isQuietAtLast() async -> Bool {
        var before = sleeps
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(4))
            let after = sleeps
            if after == before, !after.isEmpty, timedSleeps.isEmpty { return true }
            before = after
        }
        return false
    }
}
