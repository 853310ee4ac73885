import BatonContract
import DBus
import Synchronization

/// How an app that takes part stands with the device, for its calls that are not part of that: the device gives tokens on
/// the connection that the app registered on, and on no other.
final class Membership: Sendable {
    enum Standing: Sendable {
        /// No app takes part through this device.
        case outside
        /// Registering, or clearing what was left from before.
        case joining
        /// batond is not there.
        case absent
        case member(Connection)
        /// The device does not want this app.
        case refused(any Error)
    }

    private struct State {
        var standing = Standing.outside
        var watchers: [UInt64: AsyncStream<Standing>.Continuation] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    var standing: Standing { state.withLock { $0.standing } }

    func set(_ standing: Standing) {
        state.withLock { state in
            state.standing = standing
            for watcher in state.watchers.values { watcher.yield(standing) }
        }
    }

    /// The standing now and each later one.
    private func standings() -> AsyncStream<Standing> {
        let (stream, continuation) = AsyncStream.makeStream(of: Standing.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.next += 1
            state.watchers[state.next] = continuation
            continuation.yield(state.standing)
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in _ = state.watchers.removeValue(forKey: id) }
        }
        return stream
    }

    /// The connection that the app is registered on, as soon as it is; nil: no app takes part.
    ///
    /// - Parameter present: Fails where there is no batond to register with, and starts one that can be started.
    func connection(
        atMost limit: Duration, present: @escaping @Sendable () async throws -> Void
    ) async throws -> Connection? {
        if case .outside = standing { return nil }
        if case .member(let connection) = standing { return connection }
        try await present()
        let standings = standings()
        return try await withThrowingTaskGroup(of: Connection?.self) { group in
            group.addTask {
                for await standing in standings {
                    switch standing {
                    case .outside: return nil
                    // One that has just been started is seen in a moment.
                    case .joining, .absent: continue
                    case .member(let connection): return connection
                    case .refused(let error): throw error
                    }
                }
                throw CancellationError()
            }
            group.addTask {
                try await Task.sleep(for: limit)
                throw DeviceError.timedOut
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
