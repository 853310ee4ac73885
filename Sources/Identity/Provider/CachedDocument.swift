import Waiting

/// A document of the provider that is read once for many, kept for a while, and kept longer when the provider is away.
actor CachedDocument<Value: Sendable> {
    /// A document and for how many seconds it is fresh.
    struct Fetched: Sendable {
        var value: Value
        var lifetime: Int64
    }

    private struct Held {
        var value: Value
        var fetchedAt: Int64
        var lifetime: Int64

        /// A clock that was set back makes a document stale, not eternal.
        func isYounger(than seconds: Int64, at now: Int64) -> Bool {
            now >= fetchedAt && now - fetchedAt < seconds
        }
    }

    /// How long an old document serves when no new one can be had, in seconds.
    private let staleLimit: Int64 = 24 * 3600
    /// For how long it is not asked for again after a failure while an old document serves, in seconds.
    private let pause: Int64 = 5

    private let clock: IdentityClock
    private let fetch: @Sendable () async throws(IdentityError) -> Fetched
    private var held: Held?
    private var failedAt: Int64?
    private var forcedAt: Int64?
    private var isFetching = false
    private let waiters = WaiterList<Result<Value, IdentityError>>()

    init(clock: IdentityClock, fetch: @escaping @Sendable () async throws(IdentityError) -> Fetched) {
        self.clock = clock
        self.fetch = fetch
    }

    /// - Parameter forceRefresh: Asks the provider although the document is fresh; an old one is then no answer.
    func value(forceRefresh: Bool) async throws(IdentityError) -> Value {
        guard !forceRefresh else { return try await refreshed().get() }
        let now = clock.seconds()
        if let held, held.isYounger(than: held.lifetime, at: now) { return held.value }
        let isPausing = failedAt.map { now >= $0 && now - $0 < pause } ?? false
        if isPausing, let held, held.isYounger(than: staleLimit, at: now) { return held.value }
        switch await refreshed() {
        case .success(let value): return value
        case .failure(let error):
            guard error.cause != .canceled, let held, held.isYounger(than: staleLimit, at: now) else { throw error }
            return held.value
        }
    }

    /// Asks the provider again, or nil when that was done within these seconds.
    ///
    /// Who comes while the request is under way gets its answer.
    func refresh(notWithin seconds: Int64) async throws(IdentityError) -> Value? {
        let now = clock.seconds()
        if !isFetching {
            if let forcedAt, now >= forcedAt, now - forcedAt < seconds { return nil }
            forcedAt = now
        }
        return try await refreshed().get()
    }

    /// The answer of the one request that is under way; a caller that no longer waits does not end it for the others.
    private func refreshed() async -> Result<Value, IdentityError> {
        if !isFetching {
            isFetching = true
            // A task of its own: it belongs to all who wait, and the request's own deadline ends it. It answers on this
            // actor, so not before this one waits.
            Task(executorPreference: clock.executor) { await self.run() }
        }
        return await waiters.waitUnlessCancelled() ?? .failure(IdentityError(.canceled))
    }

    private func run() async {
        let result: Result<Fetched, IdentityError>
        do throws(IdentityError) {
            result = .success(try await fetch())
        } catch {
            result = .failure(error)
        }
        let now = clock.seconds()
        switch result {
        case .success(let fetched):
            held = Held(value: fetched.value, fetchedAt: now, lifetime: fetched.lifetime)
            failedAt = nil
        case .failure: failedAt = now
        }
        isFetching = false
        waiters.wakeAll(result.map(\.value))
    }
}
