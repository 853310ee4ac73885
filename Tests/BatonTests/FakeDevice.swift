import BatonContract
import BusTesting
import DBus
import Synchronization

/// As much of batond as a client sees, on a bus of its own: it says what a test wants and keeps what it is told.
actor FakeDevice {
    enum Heard: Equatable, Sendable {
        case registered(app: String, clearedThrough: Epoch)
        case acknowledged(epoch: Epoch, instance: Instance, outcome: String)
        case left(instance: Instance)
        case token(isSilent: Bool, VariantDictionary)
        case signOut(VariantDictionary)
        case cancelled
    }

    /// A token request, as this side sees it.
    struct TokenCall: Sendable {
        var caller: Caller
        var isSilent: Bool
        var parameters: VariantDictionary
    }

    struct State: Sendable {
        var journalID = "journal"
        var phase = Phase.ready
        var epoch: Epoch = 4
        var account: Account?
        var clearThrough: Epoch = 0
        var refuseRegistration: BatonError?
        var instance: Instance = 0
        var mode = DeviceMode.shared
        var browser = BrowserDescription.none
        var previous: Account?
        /// The registrations that this one has made.
        var given: Set<Instance> = []
        /// Who is registered, by connection.
        var members: Set<String> = []
        /// Of the last error, as `GetErrorDetails` gives them.
        var errorDetails: VariantDictionary = [:]
        var token: @Sendable (TokenCall) async throws -> TokenResult = { _ in
            throw BatonError(.interactionRequired, "A page is needed.")
        }
        var signOut: @Sendable () throws -> Receipt? = { nil }
        var receipts: [Receipt] = []
    }

    private let connection: Connection
    private let state: Mutex<State>
    nonisolated let heard: AsyncStream<Heard>
    private let tell: AsyncStream<Heard>.Continuation

    init(on address: BusAddress, _ state: State = State()) async throws {
        connection = try await Connection.open(address)
        self.state = Mutex(state)
        (heard, tell) = AsyncStream.makeStream(of: Heard.self)
        try await connection.serve(object(), at: Device1.path)
        try await connection.own(Device1.busName)
    }

    nonisolated func set(_ change: @Sendable (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    func close() async { await connection.close() }

    /// Sends signals of several kinds in one go, so that they wait for their reader together.
    func hurry(through epochs: ClosedRange<Epoch>, _ account: Account) throws {
        func tell(_ phase: Phase) throws {
            try connection.emitPropertiesChanged(
                Device1.interface, [Device1.phase.name.rawValue: .string(phase.rawValue)], from: Device1.path)
        }
        for epoch in epochs {
            try tell(.inUse)
            try connection.emit(Device1.signedIn, (epoch, account.dictionary), from: Device1.path)
            try tell(.clearing)
            try connection.emit(Device1.signingOut, (epoch, account.dictionary, "user", 1), from: Device1.path)
            try tell(.ready)
            try connection.emit(Device1.signedOut, (epoch, account.dictionary, "cleared"), from: Device1.path)
        }
    }

    func signIn(_ account: Account) throws {
        let epoch = state.withLock { state in
            state.epoch = state.epoch.next
            state.phase = .inUse
            state.account = account
            return state.epoch
        }
        try connection.emit(Device1.signedIn, (epoch, account.dictionary), from: Device1.path)
    }

    func beginSignOut(_ reason: String = "user") throws {
        let (epoch, account) = state.withLock { state in
            state.phase = .clearing
            state.clearThrough = state.epoch
            return (state.epoch, state.account)
        }
        try connection.emit(
            Device1.signingOut, (epoch, account?.dictionary ?? [:], reason, 12_345), from: Device1.path)
    }

    func announceSignOut(_ reason: String) throws {
        try connection.emit(Device1.automaticSignOutPending, (reason, 12_345), from: Device1.path)
    }

    func endSignOut() throws {
        let (epoch, account) = state.withLock { state in
            defer { state.account = nil }
            state.phase = .ready
            return (state.epoch, state.account)
        }
        try connection.emit(
            Device1.signedOut, (epoch, account?.dictionary ?? [:], "cleared"), from: Device1.path)
    }

    private nonisolated func now() -> State { state.withLock { $0 } }

    private nonisolated func information() -> VariantDictionary {
        let state = now()
        return DeviceInformation(
            mode: state.mode, phase: state.phase, epoch: state.epoch, deviceID: "", hostname: "fake", version: "",
            bootID: "", started: 0, since: 0, issuer: "", tenant: "", agent: .present, browser: state.browser,
            participants: 0, bus: .session, journalID: state.journalID, idle: .nothing, explanation: ""
        ).dictionary
    }

    private nonisolated func object() -> ServedObject {
        var object = ServedObject()
        object.answer(Device1.getDeviceMode) { _, _ in self.now().mode.rawValue }
        object.answer(Device1.getDeviceInformation) { _, _ in self.information() }
        object.answer(Device1.getCurrentAccount) { _, _ in
            let state = self.now()
            return (state.epoch, state.account?.dictionary ?? [:], state.previous?.dictionary ?? [:])
        }
        serveTokens(&object)
        object.property(Device1.deviceMode) { _ in self.now().mode.rawValue }
        object.property(Device1.phase) { _ in self.now().phase.rawValue }
        object.property(Device1.epoch) { _ in self.now().epoch }
        object.property(Device1.currentAccount) { _ in self.now().account?.dictionary ?? [:] }
        object.answer(Participants.register) { caller, input in
            self.tell.yield(.registered(app: input.0, clearedThrough: input.1))
            let state = self.state.withLock { state in
                state.instance = state.instance.next
                state.given.insert(state.instance)
                return state
            }
            if let refusal = state.refuseRegistration { throw refusal }
            self.state.withLock { _ = $0.members.insert(caller.name.rawValue) }
            let account = state.clearThrough == 0 ? state.account : nil
            return (
                state.instance, state.epoch, state.phase.rawValue, state.clearThrough, account?.dictionary ?? [:]
            )
        }
        object.answer(Participants.acknowledge) { _, input in
            // What was said to one before this one may reach this one, if it takes the name in between.
            guard self.now().given.contains(input.1) else { throw BatonError(.notRegistered, "Register first.") }
            self.state.withLock { $0.clearThrough = 0 }
            self.tell.yield(.acknowledged(epoch: input.0, instance: input.1, outcome: input.2))
        }
        object.answer(Participants.extend) { _, input in UInt64(input.2) }
        object.answer(Participants.leave) { caller, instance in
            self.state.withLock { _ = $0.members.remove(caller.name.rawValue) }
            self.tell.yield(.left(instance: instance))
        }
        object.emits(Device1.signedIn)
        object.emits(Device1.signingOut)
        object.emits(Device1.signedOut)
        return object
    }

    private nonisolated func serveTokens(_ object: inout ServedObject) {
        object.answer(Tokens.acquireToken) { caller, parameters in
            try await self.token(TokenCall(caller: caller, isSilent: false, parameters: parameters))
        }
        object.answer(Tokens.acquireTokenSilently) { caller, parameters in
            try await self.token(TokenCall(caller: caller, isSilent: true, parameters: parameters))
        }
        object.answer(Tokens.getErrorDetails) { _, id in
            guard id == Self.correlationID else { throw BatonError(.invalidArgument, "There is none.") }
            return self.now().errorDetails
        }
        object.answer(Tokens.handleResponse) { _, input in input.0.contains("state=known") }
        object.answer(Device1.cancelSignIn) { _, _ in
            self.tell.yield(.cancelled)
        }
        object.answer(Device1.signOut) { _, options in
            self.tell.yield(.signOut(options))
            let state = self.now()
            guard state.mode == .shared else { throw BatonError(.notShared, "The device is in personal mode.") }
            return (state.epoch, try state.signOut()?.dictionary ?? [:])
        }
        object.answer(Device1.listReceipts) { _, _ in self.now().receipts.map(\.dictionary) }
        object.emits(Device1.signInStep)
    }

    private nonisolated func token(_ call: TokenCall) async throws -> VariantDictionary {
        tell.yield(.token(isSilent: call.isSilent, call.parameters))
        let state = now()
        guard state.members.contains(call.caller.name.rawValue) else {
            throw BatonError(.notRegistered, "Register first.")
        }
        do {
            return try await state.token(call).dictionary
        } catch let error as BatonError {
            self.state.withLock { $0.errorDetails = error.details }
            throw BatonError(error.code, CorrelationID.mark(error.message, Self.correlationID))
        }
    }

    static let correlationID = "0f1e2d3c"
}
