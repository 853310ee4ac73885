import Identity
import SessionMachine
import Synchronization

/// What a request to the identity provider came to.
package struct ProviderLook: Hashable, Sendable {
    /// It answered, and not that it does not work at present.
    package var isReachable: Bool
    /// Unix time in microseconds.
    package var when: Int64
}

/// Notes of each request whether the provider is there.
final class WatchedExchange: HTTPExchange {
    private struct State {
        var look: ProviderLook?
        var looked: @Sendable () -> Void = {}
    }

    private let way: any HTTPExchange
    private let clock: Clock
    private let state = Mutex(State())

    init(_ way: any HTTPExchange, clock: Clock) {
        self.way = way
        self.clock = clock
    }

    var look: ProviderLook? { state.withLock(\.look) }

    /// - Parameter looked: Called after each look, on any thread.
    func tell(_ looked: @escaping @Sendable () -> Void) { state.withLock { $0.looked = looked } }

    func send(_ request: HTTPRequest) async throws(IdentityError) -> HTTPResponse {
        do throws(IdentityError) {
            let response = try await way.send(request)
            note(isReachable: response.status < 500 && response.status != 429)
            return response
        } catch {
            if error.isUnreachable { note(isReachable: false) }
            throw error
        }
    }

    private func note(isReachable: Bool) {
        let look = ProviderLook(isReachable: isReachable, when: clock.now().wall)
        let looked = state.withLock { state in
            state.look = look
            return state.looked
        }
        looked()
    }
}
