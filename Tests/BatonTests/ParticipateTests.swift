import Baton
import BusTesting
import DBus
import Testing

@testable import Baton

/// The library against a daemon that says what the test wants, on a real bus.
@Suite(.timeLimit(.minutes(1))) struct ParticipateTests {
    private let ana = Account(id: "local#ana", username: "ana", name: "Ana Horvat")

    /// What the app was asked to do.
    private enum Asked: Equatable, Sendable {
        case registered
        case signedIn(String, Epoch)
        case cleared(Epoch, account: String?)
    }

    private struct App {
        var asked: AsyncStream<Asked>.Iterator
        let task: Task<Void, any Error>

        init(
            on bus: PrivateBus, outcome: AcknowledgementOutcome = .cleared, memory: ParticipationMemory = .none
        ) async throws {
            let device = try await Device.connect(bus.address)
            let (asked, tell) = AsyncStream.makeStream(of: Asked.self)
            self.asked = asked.makeAsyncIterator()
            task = Task {
                try await device.participate(as: "org.example.App", memory: memory) { account, epoch in
                    tell.yield(.signedIn(account.username, epoch))
                } clear: { request in
                    tell.yield(.cleared(request.epoch, account: request.account?.username))
                    return outcome
                } registered: {
                    tell.yield(.registered)
                }
            }
        }

        mutating func next() async -> Asked? { await asked.next(isolation: #isolation) }
    }

    @Test func `a whole turn: registered, told of the worker, cleared, acknowledged, told of the next`() async throws {
        try await withPrivateBus { bus in
            let device = try await FakeDevice(on: bus.address)
            var heard = device.heard.makeAsyncIterator()
            var app = try await App(on: bus)
            #expect(await heard.next() == .registered(app: "org.example.App", clearedThrough: 0))
            #expect(await app.next() == .registered)
            try await device.signIn(ana)
            #expect(await app.next() == .signedIn("ana", 5))
            try await device.beginSignOut()
            #expect(await app.next() == .cleared(5, account: "ana"))
            #expect(await heard.next() == .acknowledged(epoch: 5, instance: 1, outcome: "cleared"))
            try await device.endSignOut()
            try await device.signIn(ana)
            #expect(await app.next() == .signedIn("ana", 6))
            try await device.beginSignOut()
            #expect(await app.next() == .cleared(6, account: "ana"))
            #expect(await heard.next() == .acknowledged(epoch: 6, instance: 1, outcome: "cleared"))
            app.task.cancel()
            await #expect(throws: CancellationError.self) { try await app.task.value }
        }
    }

    @Test func `an app that missed a sign-out clears before it gets anybody`() async throws {
        try await withPrivateBus { bus in
            let device = try await FakeDevice(
                on: bus.address, .init(phase: .inUse, epoch: 6, account: ana, clearThrough: 5))
            var heard = device.heard.makeAsyncIterator()
            var app = try await App(on: bus, outcome: .nothingToClear)
            #expect(await heard.next() == .registered(app: "org.example.App", clearedThrough: 0))
            #expect(await app.next() == .registered)
            #expect(await app.next() == .cleared(5, account: nil))
            #expect(await heard.next() == .acknowledged(epoch: 5, instance: 1, outcome: "nothing-to-clear"))
            #expect(await app.next() == .signedIn("ana", 6))
            app.task.cancel()
            _ = await app.task.result
        }
    }

    @Test func `a request that waits for one daemon does not reach the next`() async throws {
        try await withPrivateBus { bus in
            let refusal = BatonError(.failed, "The journal cannot be read.")
            let first = try await FakeDevice(on: bus.address, .init(refuseRegistration: refusal))
            var refused = first.heard.makeAsyncIterator()
            var app = try await App(on: bus)
            _ = await refused.next()
            // Answered after the app, which then waits for 400 ms, and later once more.
            _ = try await Device.connect(bus.address).deviceInformation()
            await first.close()
            let second = try await FakeDevice(on: bus.address, .init(phase: .inUse, epoch: 5, account: ana))
            var heard = second.heard.makeAsyncIterator()
            #expect(await heard.next() == .registered(app: "org.example.App", clearedThrough: 0))
            #expect(await app.next() == .registered)
            #expect(await app.next() == .signedIn("ana", 5))
            // For what must not come there is no event.
            try await Task.sleep(for: .seconds(2))
            try await second.beginSignOut()
            #expect(await app.next() == .cleared(5, account: "ana"))
            #expect(await heard.next() == .acknowledged(epoch: 5, instance: 1, outcome: "cleared"))
            app.task.cancel()
            _ = await app.task.result
        }
    }

    @Test func `a daemon that was restarted in mid-barrier gets the same answer, and the app does not clear twice`()
        async throws
    {
        try await withPrivateBus { bus in
            let first = try await FakeDevice(on: bus.address, .init(phase: .inUse, epoch: 5, account: ana))
            var app = try await App(on: bus)
            #expect(await app.next() == .registered)
            #expect(await app.next() == .signedIn("ana", 5))
            try await first.beginSignOut()
            #expect(await app.next() == .cleared(5, account: "ana"))
            await first.close()
            let second = try await FakeDevice(
                on: bus.address, .init(phase: .clearing, epoch: 5, account: ana, clearThrough: 5, instance: 8))
            var heard = second.heard.makeAsyncIterator()
            let next = await heard.next()
            guard case .registered = next else {
                Issue.record("no registration, but \(String(describing: next))")
                return
            }
            #expect(await app.next() == .registered)
            #expect(await heard.next() == .acknowledged(epoch: 5, instance: 9, outcome: "cleared"))
            app.task.cancel()
            _ = await app.task.result
        }
    }

    @Test func `the number of the last clearing is remembered, and worth nothing with another journal`() async throws {
        try await withPrivateBus { bus in
            let memory = ParticipationMemory.file(bus.folder + "/memory/app.json")
            memory.write(.init(journalID: "journal", clearedThrough: 4))
            let device = try await FakeDevice(on: bus.address)
            var heard = device.heard.makeAsyncIterator()
            var app = try await App(on: bus, memory: memory)
            #expect(await heard.next() == .registered(app: "org.example.App", clearedThrough: 4))
            #expect(await app.next() == .registered)
            app.task.cancel()
            _ = await app.task.result
            // It held nothing of a worker.
            #expect(await heard.next() == .left(instance: 1))
            device.set { $0.journalID = "another" }
            app = try await App(on: bus, memory: memory)
            #expect(await app.next() == .cleared(0, account: nil))
            #expect(await heard.next() == .registered(app: "org.example.App", clearedThrough: 0))
            #expect(await app.next() == .registered)
            app.task.cancel()
            _ = await app.task.result
            #expect(memory.read() == .init(journalID: "another", clearedThrough: 0))
        }
    }

    @Test func `a refusal ends it with the device's own error`() async throws {
        try await withPrivateBus { bus in
            let device = try await FakeDevice(
                on: bus.address, .init(refuseRegistration: BatonError(.notAuthorized, "no token")))
            let app = try await App(on: bus)
            await #expect(throws: BatonError(.notAuthorized, "no token")) { try await app.task.value }
            await device.close()
        }
    }

    @Test func `where there is no room the app is told, and comes in when there is`() async throws {
        try await withPrivateBus { bus in
            let full = BatonError(.limitExceeded, "The limit of 512 participants is reached.")
            let fake = try await FakeDevice(on: bus.address, .init(refuseRegistration: full))
            let device = try await Device.connect(bus.address)
            let (postponed, tellPostponed) = AsyncStream.makeStream(of: BatonError.self)
            let (registered, tellRegistered) = AsyncStream.makeStream(of: Void.self)
            let app = Task {
                try await device.participate(as: "org.example.App", memory: ParticipationMemory.none) { _ in
                    .cleared
                } registered: {
                    tellRegistered.yield()
                } postponed: {
                    tellPostponed.yield($0)
                }
            }
            #expect(await postponed.first { _ in true } == full)
            // A call that needs a registration does not wait for one that may never be.
            await #expect(throws: full) { try await device.acquireTokenSilently() }
            fake.set { $0.refuseRegistration = nil }
            #expect(await registered.first { true } != nil)
            app.cancel()
            _ = await app.result
        }
    }

    @Test func `an app that holds a worker does not leave when it is stopped`() async throws {
        try await withPrivateBus { bus in
            let device = try await FakeDevice(on: bus.address, .init(phase: .inUse, epoch: 5, account: ana))
            var heard = device.heard.makeAsyncIterator()
            var app = try await App(on: bus)
            #expect(await app.next() == .registered)
            #expect(await app.next() == .signedIn("ana", 5))
            app.task.cancel()
            _ = await app.task.result
            var again = try await App(on: bus)
            #expect(await again.next() == .registered)
            #expect(await heard.next() == .registered(app: "org.example.App", clearedThrough: 0))
            #expect(await heard.next() == .registered(app: "org.example.App", clearedThrough: 0))
            again.task.cancel()
            _ = await again.task.result
        }
    }

    @Test func `a receipt that cannot be read is an error, and not that there was nothing to sign out`() async throws {
        try await withPrivateBus { bus in
            let fake = try await FakeDevice(on: bus.address, .init(phase: .inUse, epoch: 5, account: ana))
            let device = try await Device.connect(bus.address)
            #expect(try await device.signOut().receipt == nil)
            fake.set { state in
                state.signOut = { Receipt() }
                state.receipts = [ClientFixture.receipt(.cleared), Receipt()]
            }
            await #expect(throws: DeviceError.self) { try await device.signOut() }
            await #expect(throws: DeviceError.self) { try await device.receipts(newest: 2) }
            await fake.close()
        }
    }

    @Test func `without a daemon the mode is unknown, never personal, and the error says what is missing`() async throws
    {
        try await withPrivateBus { bus in
            let device = try await Device.connect(bus.address)
            #expect(await device.deviceMode == .unknown)
            #expect(try await device.isPresent() == false)
            let bus = "the bus at \(bus.rawAddress); start it with `batond --bus \(bus.rawAddress)`"
            await #expect(throws: DeviceError.noDaemon("batond does not run on \(bus)")) {
                try await device.deviceInformation()
            }
        }
    }

    @Test func `without a bus there is an error that says so`() async throws {
        do {
            _ = try await Device.connect(.address("unix:path=/nowhere/at/all"))
            Issue.record("connected")
        } catch DeviceError.noDaemon {}
    }
}
