import BusTesting
import Testing

@testable import Baton

/// The events of a device that says what the test wants, on a real bus.
@Suite(.timeLimit(.minutes(1))) struct DeviceEventTests {
    private let ana = Account(id: "local#ana", username: "ana", name: "Ana Horvat")

    @Test func `events begin with how the device stands and survive a restart of the daemon`() async throws {
        try await withPrivateBus { bus in
            let first = try await FakeDevice(on: bus.address, .init(phase: .inUse, epoch: 5, account: ana))
            var events = try await Device.connect(bus.address).events().makeAsyncIterator()
            for expected: DeviceEvent in [
                .appeared, .modeChanged(.shared), .signedIn(epoch: 5, account: ana), .phaseChanged(.inUse),
            ] {
                #expect(await events.next() == expected)
            }
            try await first.beginSignOut()
            #expect(
                await events.next()
                    == .signingOut(epoch: 5, account: ana, reason: .user, deadline: 12_345))
            await first.close()
            #expect(await events.next() == .vanished)
            let second = try await FakeDevice(on: bus.address, .init(phase: .inUse, epoch: 6, account: ana))
            for expected: DeviceEvent in [
                .appeared, .modeChanged(.shared), .signedOut(epoch: 5, account: ana, outcome: nil),
                .signedIn(epoch: 6, account: ana), .phaseChanged(.inUse),
            ] {
                #expect(await events.next() == expected)
            }
            await second.close()
        }
    }

    @Test func `a reason of a newer daemon is told as none, not as another`() async throws {
        try await withPrivateBus { bus in
            let fake = try await FakeDevice(on: bus.address, .init(phase: .inUse, epoch: 5, account: ana))
            var events = try await Device.connect(bus.address).events().makeAsyncIterator()
            for _ in 0..<4 { _ = await events.next() }
            try await fake.announceSignOut("curfew")
            #expect(await events.next() == .automaticSignOutPending(reason: nil, deadline: 12_345))
            try await fake.beginSignOut("curfew")
            #expect(await events.next() == .signingOut(epoch: 5, account: ana, reason: nil, deadline: 12_345))
            await fake.close()
        }
    }

    @Test func `events come in the order of the bus, whatever their kinds`() async throws {
        try await withPrivateBus { bus in
            let fake = try await FakeDevice(on: bus.address)
            var events = try await Device.connect(bus.address).events().makeAsyncIterator()
            for _ in 0..<3 { _ = await events.next() }
            let ana = ClientFixture.ana
            try await fake.hurry(through: 5...8, ana)
            for epoch in Epoch(5)...8 {
                for expected: DeviceEvent in [
                    .phaseChanged(.inUse), .signedIn(epoch: epoch, account: ana), .phaseChanged(.clearing),
                    .signingOut(epoch: epoch, account: ana, reason: .user, deadline: 1), .phaseChanged(.ready),
                    .signedOut(epoch: epoch, account: ana, outcome: .cleared),
                ] {
                    #expect(await events.next() == expected)
                }
            }
            await fake.close()
        }
    }
}
