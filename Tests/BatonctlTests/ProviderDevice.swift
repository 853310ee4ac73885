import Baton
import BusTesting
import DBus
import Synchronization

/// As much of a batond with an identity provider as batonctl sees, on a bus of its own.
///
/// A sign-in ends with what comes first: the test's word, `CancelSignIn`, or an answer through `HandleResponse`, whose
/// address becomes the account's id.
final class ProviderDevice: Sendable {
    static let page = SignInStep(kind: .openURL, url: "https://id.example/authorize?client_id=1&state=known")
    static let code = SignInStep(
        kind: .deviceCode, url: "https://id.example/device", userCode: "ABCD-EFGH",
        verificationURIComplete: "https://id.example/device?user_code=ABCD-EFGH", expires: 4_102_444_800_000_000)

    private let connection: Connection
    private let steps: [SignInStep]
    private let identity: IdentityKind?
    private let ends: AsyncStream<Result<Account, BatonError>>
    private let end: AsyncStream<Result<Account, BatonError>>.Continuation
    private let options = Mutex<VariantDictionary>([:])

    /// What the last sign-in asked for.
    var asked: VariantDictionary { options.withLock { $0 } }

    init(on bus: PrivateBus, _ steps: [SignInStep] = [], identity: IdentityKind? = .oidc) async throws {
        connection = try await bus.connect()
        self.steps = steps
        self.identity = identity
        (ends, end) = AsyncStream.makeStream(of: Result<Account, BatonError>.self)
        try await connection.serve(object(), at: Device1.path)
        try await connection.own(Device1.busName)
    }

    func finish(_ result: Result<Account, BatonError>) { end.yield(result) }

    func close() async { await connection.close() }

    private func object() -> ServedObject {
        var object = ServedObject()
        object.answer(Device1.getDeviceInformation) { _, _ in
            DeviceInformation(
                mode: .shared, phase: .ready, epoch: 4, deviceID: "", hostname: "fake", version: "", bootID: "",
                started: 0, since: 0, identity: self.identity, issuer: "https://id.example", tenant: "",
                agent: .away, browser: .none, participants: 0, bus: .session, journalID: "j", idle: .nothing,
                explanation: ""
            ).dictionary
        }
        object.answer(Device1.signIn) { caller, options in
            self.options.withLock { $0 = options }
            for step in self.steps {
                try caller.connection.emit(Device1.signInStep, step.dictionary, from: Device1.path, to: caller.name)
            }
            var ends = self.ends.makeAsyncIterator()
            guard let end = await ends.next(isolation: #isolation) else { throw BatonError(.failed, "gone") }
            return (5, try end.get().dictionary)
        }
        object.answer(Device1.cancelSignIn) { _, _ in
            self.finish(.failure(BatonError(.userCanceled, "cancelled")))
        }
        object.answer(Tokens.handleResponse) { _, input in
            guard input.0.contains("state=known") else { return false }
            self.finish(.success(Account(id: input.0, username: "ana", name: "Ana Horvat")))
            return true
        }
        object.emits(Device1.signInStep)
        return object
    }
}
