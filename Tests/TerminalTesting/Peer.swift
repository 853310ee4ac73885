public import Baton
import BusTesting
public import DBus

/// A connection that speaks the contract by hand, and so can say what no library would.
public struct Peer: Sendable {
    public let connection: Connection
    /// Who is called: batond, or a process that passes it on.
    public let destination: BusName

    public init(_ terminal: Terminal) async throws { self.init(connection: try await terminal.connect()) }

    public init(connection: Connection, through destination: BusName = Device1.busName) {
        self.connection = connection
        self.destination = destination
    }

    public func call<Input, Output>(_ method: Method<Input, Output>, _ input: Input) async throws -> Output {
        try await connection.call(method, input, to: destination, at: Device1.path, timeout: .seconds(40))
    }

    public func call<Output>(_ method: Method<Void, Output>) async throws -> Output { try await call(method, ()) }

    public struct Registration: Sendable {
        public let instance: Instance
        public let epoch: Epoch
        public let phase: String
        public let clearThrough: Epoch
        public let account: VariantDictionary
    }

    /// Registers; with `clears`, also acknowledges what it is told to clear, so that it begins clean.
    @discardableResult
    public func register(_ app: String, clearedThrough: Epoch = 0, clears: Bool = true) async throws -> Registration {
        let (instance, epoch, phase, clearThrough, account) = try await call(
            Participants.register, (app, clearedThrough, [:]))
        if clears, clearThrough > 0 { try await acknowledge(clearThrough, instance) }
        return Registration(
            instance: instance, epoch: epoch, phase: phase, clearThrough: clearThrough, account: account)
    }

    public func acknowledge(
        _ epoch: Epoch, _ instance: Instance, _ outcome: String = "cleared", details: VariantDictionary = [:]
    ) async throws {
        try await call(Participants.acknowledge, (epoch, instance, outcome, details))
    }

    public func list() async throws -> [ParticipantStatus] {
        try await call(Participants.list).map { ParticipantStatus($0) }
    }

    public func epoch() async throws -> Epoch {
        try await Proxy(connection, destination, Device1.path).get(Device1.epoch)
    }

    public func phase() async throws -> String {
        try await Proxy(connection, destination, Device1.path).get(Device1.phase)
    }

    /// Returns when the device is in this phase.
    public func waitForPhase(_ phase: Phase) async throws {
        let changes = try await Proxy(connection, Device1.busName, Device1.path).propertyChanges(of: Device1.interface)
        if try await self.phase() == phase.rawValue { return }
        for try await change in changes where change.values.1["Phase"]?.string == phase.rawValue { return }
    }

    /// Signs in with a PIN in a sealed memory file. Gives the epoch.
    @discardableResult
    public func signIn(_ username: String, pin: String) async throws -> Epoch {
        try await call(
            Device1.signIn, ["username": .string(username), "pin": .descriptor(try sealedMemory(pin))]
        ).0
    }

    public func signOut(_ options: VariantDictionary = [:]) async throws -> Receipt? {
        Receipt(try await call(Device1.signOut, options).1)
    }

    /// Ends a quarantine as an administrator, unless the retry that begins with the agent is faster.
    public func leaveQuarantine() async throws {
        guard try await phase() != "ready" else { return }
        do {
            _ = try await call(Administration.endQuarantine, [:])
        } catch {
            guard try await phase() == "ready" else { throw error }
        }
    }

    /// The name of the contract's error that `body` ends with; nil when it ends well.
    public func refusal(_ body: () async throws -> Void) async throws -> String? {
        do {
            try await body()
            return nil
        } catch let error as DBusError {
            guard let name = error.name?.rawValue else { throw error }
            return name.hasPrefix(BatonError.prefix) ? String(name.dropFirst(BatonError.prefix.count)) : name
        }
    }

    /// Subscribes before it returns; the first signal of the stream is the first that comes afterwards.
    public func signals<Values>(_ signal: Signal<Values>) async throws -> SignalStream<Values> {
        try await connection.subscribe(to: signal, from: Device1.busName, at: Device1.path)
    }

    public func receipt(_ epoch: Epoch) async throws -> Receipt? {
        Receipt(try await call(Device1.getReceipt, epoch))
    }

    /// A sign-out that came too late has no receipt of its own.
    public func receipt(_ epoch: Epoch, or given: Receipt?) async throws -> Receipt {
        if let given { return given }
        guard let receipt = try await receipt(epoch) else { throw TestingError("there is no receipt of \(epoch)") }
        return receipt
    }
}
