import Baton
import DBus
import Logging
import Presentation
import Secrets
import Vocabulary

/// The kiosk's way to the supervisor, on the agent's own connection: by that batond knows who asks.
struct BusDeviceLink: DeviceLink {
    let connection: Connection
    let device: Device
    let log: Logger

    init(_ connection: Connection, bus: BusAddress, log: Logger) {
        self.connection = connection
        device = Device(bus: bus, connection: connection)
        self.log = log
    }

    func launched(_ app: String, _ token: OwnedDescriptor) async throws {
        try await connection.call(DeviceAgent.launched, (app, token), to: Device1.busName, at: Device1.path)
    }

    func signIn(username: String, pin: String) async -> WorkerLine {
        await line(pin) { _ = try await device.signIn(username: username, pin: $0) }
    }

    func lock(pin: String) async -> WorkerLine {
        if pin.isEmpty { return await line { try await device.lock() } }
        return await line(pin) { try await device.lock(choosing: $0) }
    }

    func lockWithoutPIN() async -> WorkerLine { await line { try await device.lockWithoutPIN() } }

    func unlock(pin: String) async -> WorkerLine { await line(pin) { try await device.unlock(pin: $0) } }

    func unlockByPhone(show: @escaping @Sendable (SignInStep) async -> Void) async -> WorkerLine {
        await line { try await device.unlockByPhone { step in if step.kind == .deviceCode { await show(step) } } }
    }

    private func line(_ pin: String, _ work: (OwnedDescriptor) async throws -> Void) async -> WorkerLine {
        guard let file = try? SealedMemory.make(Secret(Array(pin.utf8)), name: "pin") else {
            return .plain("The terminal has too many files open.")
        }
        let memory = OwnedDescriptor(owning: file)
        return await line { try await work(memory) }
    }

    func signInAtProvider() async -> WorkerLine {
        // The page is opened by batond's own call; nothing here is to be shown.
        await line { _ = try await device.signIn(ProviderSignIn()) { _ in } }
    }

    func signInWithPhone(show: @escaping @Sendable (PhoneSignIn) async -> Void) async -> WorkerLine {
        await line {
            _ = try await device.signIn(ProviderSignIn(.deviceCode)) { step in
                if let phone = PhoneSignIn(step) { await show(phone) }
            }
        }
    }

    func cancelSignIn() async -> WorkerLine { await line { try await device.cancelSignIn() } }
    func keepSignedIn() async -> WorkerLine { await line { try await device.keepSignedIn() } }

    func signOut(_ reason: SignOutReason, epoch: Epoch?) async -> WorkerLine {
        await line { _ = try await device.signOut(reason: reason, epoch: epoch) }
    }

    func handleResponse(_ url: String) async -> Bool {
        (try? await device.handleResponse(url: url, sourceApplication: "baton-agent")) ?? false
    }

    func providerSignedOut(issuer: String, session: String) async -> Bool {
        (try? await connection.call(
            DeviceAgent.providerSignedOut, (issuer, session), to: Device1.busName, at: Device1.path)) ?? false
    }

    func startPage(isShown: Bool) async {
        // Said again to the next supervisor.
        try? await connection.call(DeviceAgent.startPage, isShown, to: Device1.busName, at: Device1.path)
    }

    func idle(_ epoch: Epoch, since: UInt64?) async {
        // Said again to the next supervisor.
        try? await connection.call(DeviceAgent.idle, (epoch, since ?? 0), to: Device1.busName, at: Device1.path)
    }

    func hasChanged(_ state: AgentState) async {
        // The next supervisor asks.
        try? await connection.call(DeviceAgent.stateChanged, state, to: Device1.busName, at: Device1.path)
    }

    func information() async -> DeviceInformation? { try? await device.deviceInformation() }

    func account() async -> Account? { (try? await device.getCurrentAccount())?.current }

    func ask(_ query: DeveloperQuery) async -> DeveloperQuery.Answer {
        do {
            switch query {
            case .mode: return .init(text: try await device.requireDeviceMode().rawValue)
            case .information: return .init(try await device.deviceInformation())
            case .account:
                let account = try await device.getCurrentAccount()
                return .init(epoch: account.epoch, current: account.current)
            }
        } catch let refusal as BatonError {
            return .init(refusal.code, refusal.message)
        } catch {
            log.error("a call of the start page failed", metadata: ["cause": "\(error)"])
            return .init(.failed, WorkerMessage.noAnswer.rawValue)
        }
    }

    func receipt(_ epoch: Epoch) async -> Receipt? { try? await device.receipt(epoch) }

    func recentAccounts(_ count: UInt32) async -> [Account] {
        ((try? await device.receipts(newest: count)) ?? []).compactMap(\.account)
    }

    func unclearedApps() async -> [String] {
        let all = (try? await device.participants()) ?? []
        return Set(all.filter { $0.state == .clearing || $0.state == .containing }.map(\.app)).sorted()
    }

    /// What a worker is told of a refusal.
    private func line(_ work: () async throws -> Void) async -> WorkerLine {
        do {
            try await work()
            return .none
        } catch let refusal as BatonError {
            return WorkerLine(refusal)
        } catch {
            log.error("a call of the start page failed", metadata: ["cause": "\(error)"])
            return .message(.noAnswer)
        }
    }
}
