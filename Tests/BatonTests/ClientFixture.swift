import BatonMSAL
import BusTesting
import DBus
import Synchronization

@testable import BatonMSAL

/// An application against a device that says what the test wants, on a bus of their own.
struct ClientFixture {
    static let ana = Account(
        id: "https://id.example#ana", username: "ana", name: "Ana Horvat", homeAccountID: "o-1.t-1", tenant: "t-1")
    static let ben = Account(id: "https://id.example#ben", username: "ben", name: "Ben Okafor")
    static let appID = "org.example.Till"

    let bus: PrivateBus
    let device: FakeDevice
    let application: PublicClientApplication
    /// How often the app was asked to clear.
    let cleared: Counter

    final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func increase() { count.withLock { $0 += 1 } }
    }

    static func token(_ account: Account = ana, access: String = "canary", epoch: Epoch = 5) -> TokenResult {
        TokenResult(
            accessToken: access, expires: 4_102_444_800, scopes: ["mail"], account: account,
            claims: #"{"name":"\#(account.name)"}"#, authority: "https://id.example",
            correlationID: "6e0b3d0a-3f64-4d3b-8e5b-0a7c0b3a5d11", epoch: epoch)
    }

    static func receipt(_ outcome: Outcome) -> Receipt {
        Receipt(
            epoch: 5, journalID: "j", account: ana, reason: .user, started: 1, ended: 2, milliseconds: 1,
            outcome: outcome, participants: [], debts: [], browser: .none, browserExplanation: "", shared: [],
            provider: .none, rejected: [], restarts: 0, explanation: outcome == .quarantined ? "No agent." : "")
    }

    /// Runs the body with Ana on the device, unless the state says something else.
    static func with(
        _ state: FakeDevice.State = .init(phase: .inUse, epoch: 5, account: ana),
        configure: (PublicClientApplicationConfig) -> Void = { _ in },
        _ body: (ClientFixture) async throws -> Void
    ) async throws {
        try await withPrivateBus { bus in
            let device = try await FakeDevice(on: bus.address, state)
            let cleared = Counter()
            let configuration = PublicClientApplicationConfig(clientId: "client")
            configure(configuration)
            let application = try PublicClientApplication(
                configuration: configuration, appID: appID, bus: bus.address, memory: ParticipationMemory.none
            ) { _ in
                cleared.increase()
                return .cleared
            }
            try await body(ClientFixture(bus: bus, device: device, application: application, cleared: cleared))
            await device.close()
        }
    }

    /// What the device is told next that is no registration.
    static func next(_ heard: inout AsyncStream<FakeDevice.Heard>.Iterator) async -> FakeDevice.Heard? {
        while let item = await heard.next(isolation: #isolation) {
            switch item {
            case .registered, .acknowledged: continue
            case .left, .token, .signOut, .cancelled: return item
            }
        }
        return nil
    }
}
