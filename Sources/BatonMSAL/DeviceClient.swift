import Baton
import DBus
import Synchronization

/// An application's life with the device: it connects, takes part as long as it lives, and remembers nothing longer than
/// a worker's turn.
actor DeviceClient {
    struct App: Sendable {
        var id: String
        var memory: ParticipationMemory?
        var signedIn: @Sendable (Account, Epoch) async -> Void
        var clear: @Sendable (ClearRequest) async throws -> AcknowledgementOutcome
    }

    /// What the app holds of workers without having asked for it.
    private struct Memories {
        /// The claims of ID tokens, by the account's id.
        var claims: [String: String] = [:]
        var removed: Set<String> = []
        var signedOut: Set<String> = []
    }

    private let app: App
    private let bus: BusAddress?
    private let memories = Mutex(Memories())
    private let tasks = Mutex<[Task<Void, Never>]>([])
    private let leavesClean = Mutex(false)
    private var connected: Device?

    init(_ app: App, bus: BusAddress?) {
        self.app = app
        self.bus = bus
    }

    /// Takes part until `end()`; a bus that is not there yet is tried again.
    nonisolated func begin() {
        let task = Task { [weak self] in
            var pause = Duration.milliseconds(100)
            while !Task.isCancelled {
                if let self, (try? await self.device()) != nil { return }
                // There is no event to wait for: a bus that does not exist cannot announce itself.
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(5))
            }
        }
        tasks.withLock { $0.append(task) }
    }

    nonisolated func end() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }

    /// Clears, leaves, and returns when that is done.
    nonisolated func endClean() async {
        leavesClean.withLock { $0 = true }
        end()
        for task in tasks.withLock({ $0 }) { await task.value }
    }

    /// The device, on which this app takes part.
    func device() async throws -> Device {
        if let connected { return connected }
        let device = if let bus { try await Device.connect(bus) } else { try await Device.connect() }
        // Another call may have been quicker.
        if let connected { return connected }
        connected = device
        let (app, clear, state) = (app, app.clear, WeakClient(client: self))
        let participation = device.beginParticipating(
            as: app.id, memory: app.memory, signedIn: app.signedIn,
            clear: { request in
                state.forget()
                return try await clear(request)
            }, clearsAtEnd: { state.leavesClean })
        tasks.withLock { $0.append(participation) }
        return device
    }

    /// Does not keep a client alive that the app no longer holds.
    private struct WeakClient: Sendable {
        weak let client: DeviceClient?

        var leavesClean: Bool { client?.leavesClean.withLock { $0 } ?? false }

        func forget() { client?.memories.withLock { $0 = Memories() } }
    }

    // MARK: What is remembered

    nonisolated func account(_ account: Account) -> ClientAccount {
        ClientAccount(account, claims: memories.withLock { $0.claims[account.id] } ?? "")
    }

    nonisolated func received(_ token: TokenResult) {
        memories.withLock { memories in
            memories.claims[token.account.id] = token.claims
            memories.removed.remove(token.account.id)
            memories.signedOut.remove(token.account.id)
        }
    }

    nonisolated func remove(_ id: String) {
        memories.withLock { memories in
            memories.claims[id] = nil
            memories.removed.insert(id)
        }
    }

    /// In personal mode.
    nonisolated func signOut(_ id: String) {
        remove(id)
        memories.withLock { _ = $0.signedOut.insert(id) }
    }

    nonisolated func isRemoved(_ id: String) -> Bool { memories.withLock { $0.removed.contains(id) } }
    nonisolated func isSignedOut(_ id: String) -> Bool { memories.withLock { $0.signedOut.contains(id) } }
    nonisolated var hasRemoved: Bool { memories.withLock { !$0.removed.isEmpty } }
    nonisolated var hasSignedOut: Bool { memories.withLock { !$0.signedOut.isEmpty } }
}
