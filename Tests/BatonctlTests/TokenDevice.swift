import Baton
import BusTesting
import DBus
import Synchronization

/// As much of a batond with tokens as batonctl sees, on a bus of its own: it gives a token to whoever is registered.
final class TokenDevice: Sendable {
    enum Heard: Equatable, Sendable {
        case registered(String)
        case acknowledged(String)
        case left
        case token(isSilent: Bool, VariantDictionary)
    }

    static let ana = Account(id: "https://id.example#ana", username: "ana", name: "Ana Horvat")
    static let secret = "canary-access-token"

    private struct State {
        var heard: [Heard] = []
        var members: Set<String> = []
        var next: Instance = 0
    }

    private let connection: Connection
    private let origins: [String]?
    private let refusal: BatonError?
    private let state = Mutex(State())

    /// - Parameter origins: nil: the command line gets no tokens.
    /// - Parameter refusal: What a silent request is answered.
    init(on bus: PrivateBus, origins: [String]? = [], refusal: BatonError? = nil) async throws {
        connection = try await bus.connect()
        self.origins = origins
        self.refusal = refusal
        try await connection.serve(object(), at: Device1.path)
        try await connection.own(Device1.busName)
    }

    var heard: [Heard] { state.withLock { $0.heard } }

    func close() async { await connection.close() }

    private func hear(_ item: Heard) { state.withLock { $0.heard.append(item) } }

    private func object() -> ServedObject {
        var object = ServedObject()
        object.answer(Device1.getDeviceMode) { _, _ in "shared" }
        object.answer(Device1.getDeviceInformation) { _, _ in
            DeviceInformation(
                mode: .shared, phase: .inUse, epoch: 5, deviceID: "", hostname: "fake", version: "", bootID: "",
                started: 0, since: 0, identity: .oidc, issuer: "https://id.example", tenant: "", agent: .away,
                browser: .none, participants: 0, bus: .session, journalID: "j", idle: .nothing, explanation: "",
                commandLineOrigins: self.origins
            ).dictionary
        }
        object.answer(Device1.getCurrentAccount) { _, _ in (5, Self.ana.dictionary, [:]) }
        // What an app that remembers nothing is asked.
        object.answer(Participants.register) { caller, input in
            self.hear(.registered(input.0))
            let instance = self.state.withLock { state in
                state.members.insert(caller.name.rawValue)
                state.next = state.next.next
                return state.next
            }
            return (instance, 5, "in-use", 4, [:])
        }
        object.answer(Participants.acknowledge) { _, input in self.hear(.acknowledged(input.2)) }
        object.answer(Participants.leave) { _, _ in self.hear(.left) }
        object.answer(Tokens.acquireToken) { caller, parameters in
            try self.token(caller, isSilent: false, parameters).dictionary
        }
        object.answer(Tokens.acquireTokenSilently) { caller, parameters in
            try self.token(caller, isSilent: true, parameters).dictionary
        }
        object.emits(Device1.signInStep)
        return object
    }

    private func token(_ caller: Caller, isSilent: Bool, _ parameters: VariantDictionary) throws -> TokenResult {
        hear(.token(isSilent: isSilent, parameters))
        guard state.withLock({ $0.members.contains(caller.name.rawValue) }) else {
            throw BatonError(.notRegistered, "Register first.")
        }
        if isSilent, let refusal { throw refusal }
        return TokenResult(
            accessToken: Self.secret, expires: 4_102_444_800, scopes: ["mail"], account: Self.ana,
            authority: "https://id.example", correlationID: "c-1", epoch: 5)
    }
}
