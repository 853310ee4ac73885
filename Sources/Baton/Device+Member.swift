package import BatonContract
import DBus

/// For a library that takes part on behalf of its app, as `BatonMSAL` does.
extension Device {
    /// Begins to take part, in a task that ends with its cancellation. Calls for tokens wait for the registration from now
    /// on, and what ends the participation for good, each of them says.
    ///
    /// - Parameter clearsAtEnd: Asked at the end: clear once more and leave, also while a worker holds the device.
    package func beginParticipating(
        as appID: String, memory: ParticipationMemory?, signedIn: @escaping @Sendable (Account, Epoch) async -> Void,
        clear: @escaping @Sendable (ClearRequest) async throws -> AcknowledgementOutcome,
        clearsAtEnd: @escaping @Sendable () -> Bool
    ) -> Task<Void, Never> {
        let app = Participation.App(
            id: appID, memory: memory ?? .standard(for: appID), token: InheritedToken.take(), signedIn: signedIn,
            clear: clear, registered: {}, clearsAtEnd: clearsAtEnd)
        // Before a call asks for anything.
        membership.set(.joining)
        return Task { _ = try? await participate(app) }
    }

    /// Who holds the device, as an app that takes part is told: no worker, before it has cleared.
    package func accountOfMember() async throws -> CurrentAccount {
        let (epoch, current, previous) = try await ownConnection().ask(Device1.getCurrentAccount, ())
        return CurrentAccount(epoch: epoch, current: Account(current), previous: Account(previous))
    }
}
