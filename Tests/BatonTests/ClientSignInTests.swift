import Baton
import BusTesting
import DBus
import Testing

/// Signing in through a provider, against a device that says what the test wants.
@Suite(.timeLimit(.minutes(1))) struct ClientSignInTests {
    private static let ana = Account(id: "https://id.example|1", username: "ana", name: "Ana Horvat")
    private static let page = SignInStep(kind: .openURL, url: "https://id.example/authorize")
    private static let code = SignInStep(kind: .deviceCode, url: "https://id.example/device", userCode: "ABCD")

    /// Serves `SignIn` with the test's answer.
    private func serve(
        on bus: PrivateBus, _ signIn: @escaping @Sendable (Caller, VariantDictionary) async throws -> Account
    ) async throws -> Connection {
        let connection = try await bus.connect()
        var object = ServedObject()
        object.answer(Device1.signIn) { caller, options in (7, try await signIn(caller, options).dictionary) }
        object.answer(Tokens.handleResponse) { _, input in input.0 == "x.y://auth?state=1" && input.1 == "org.x" }
        object.emits(Device1.signInStep)
        try await connection.serve(object, at: Device1.path)
        try await connection.own(Device1.busName)
        return connection
    }

    @Test func `Each step arrives in its order, and what is no step does not`() async throws {
        try await withPrivateBus { bus in
            let (seen, see) = AsyncStream.makeStream(of: Void.self)
            let server = try await serve(on: bus) { caller, _ in
                for step in [Self.page.dictionary, ["kind": .string("dance")], [:], Self.code.dictionary] {
                    try caller.connection.emit(Device1.signInStep, step, from: Device1.path, to: caller.name)
                }
                var steps = seen.makeAsyncIterator()
                for _ in 0..<2 { _ = await steps.next(isolation: #isolation) }
                return Self.ana
            }
            let device = try await Device.connect(bus.address)
            let (heard, hear) = AsyncStream.makeStream(of: SignInStep.self)
            let turn = try await device.signIn(ProviderSignIn()) { step in
                hear.yield(step)
                see.yield()
            }
            #expect(turn.epoch == 7)
            #expect(turn.account == Self.ana)
            hear.finish()
            #expect(await heard.reduce(into: []) { $0.append($1) } == [Self.page, Self.code])
            await server.close()
        }
    }

    @Test func `A caller hears nothing of a step that is meant for another`() async throws {
        try await withPrivateBus { bus in
            let other = try await bus.connect()
            let name = other.uniqueName
            let (seen, see) = AsyncStream.makeStream(of: Void.self)
            let server = try await serve(on: bus) { caller, _ in
                try caller.connection.emit(
                    Device1.signInStep, Self.code.dictionary, from: Device1.path, to: name)
                try caller.connection.emit(
                    Device1.signInStep, Self.page.dictionary, from: Device1.path, to: caller.name)
                var steps = seen.makeAsyncIterator()
                _ = await steps.next(isolation: #isolation)
                return Self.ana
            }
            let device = try await Device.connect(bus.address)
            let (heard, hear) = AsyncStream.makeStream(of: SignInStep.self)
            _ = try await device.signIn(ProviderSignIn()) { step in
                hear.yield(step)
                see.yield()
            }
            hear.finish()
            #expect(await heard.reduce(into: []) { $0.append($1) } == [Self.page])
            await server.close()
            await other.close()
        }
    }

    @Test func `Every option travels under its name, and none that was not given`() async throws {
        try await withPrivateBus { bus in
            let (asked, ask) = AsyncStream.makeStream(of: VariantDictionary.self)
            let server = try await serve(on: bus) { _, options in
                ask.yield(options)
                return Self.ana
            }
            let device = try await Device.connect(bus.address)
            _ = try await device.signIn(ProviderSignIn()) { _ in }
            let full = ProviderSignIn(
                .deviceCode, redirectURI: "x.y://auth", prompt: .selectAccount, maxAge: 0, loginHint: "ana",
                domainHint: "ward.example", correlationID: "c")
            _ = try await device.signIn(full) { _ in }
            ask.finish()
            let all = await asked.reduce(into: []) { $0.append($1) }
            #expect(all.first == ["method": .string("browser")])
            #expect(
                all.last == [
                    "method": .string("device-code"), "redirect-uri": .string("x.y://auth"),
                    "prompt": .string("select-account"), "max-age": .uint64(0), "login-hint": .string("ana"),
                    "domain-hint": .string("ward.example"), "correlation-id": .string("c"),
                ])
            await server.close()
        }
    }

    @Test func `A refusal comes as batond said it, also while a step is being shown`() async throws {
        try await withPrivateBus { bus in
            let refusal = BatonError(.userCanceled, "The sign-in took too long.")
            let (shown, show) = AsyncStream.makeStream(of: Void.self)
            let server = try await serve(on: bus) { caller, _ in
                try caller.connection.emit(
                    Device1.signInStep, Self.page.dictionary, from: Device1.path, to: caller.name)
                var steps = shown.makeAsyncIterator()
                _ = await steps.next(isolation: #isolation)
                throw refusal
            }
            let device = try await Device.connect(bus.address)
            await #expect(throws: refusal) {
                try await device.signIn(ProviderSignIn()) { _ in
                    show.yield()
                    // As a browser in the foreground: until the sign-in is over.
                    try? await Task.sleep(for: .seconds(3600))
                }
            }
            await server.close()
        }
    }

    @Test func `An answer is handed over with the app that received it`() async throws {
        try await withPrivateBus { bus in
            let server = try await serve(on: bus) { _, _ in Self.ana }
            let device = try await Device.connect(bus.address)
            #expect(try await device.handleResponse(url: "x.y://auth?state=1", sourceApplication: "org.x"))
            #expect(try await device.handleResponse(url: "x.y://auth?state=1") == false)
            await server.close()
        }
    }
}
