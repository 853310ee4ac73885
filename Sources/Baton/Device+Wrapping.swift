package import BatonContract

extension Device {
    /// Takes part on behalf of a program that knows nothing of the device, until the task is cancelled. At the end it clears
    /// once more and leaves, so that the device does not wait for a program that is gone.
    ///
    /// - Parameter admitted: Called whenever nothing of earlier workers is left to clear any more.
    /// - Throws: As `participate`.
    package func participate(
        onBehalfOf appID: String, signedIn: @escaping @Sendable () async -> Void,
        admitted: @escaping @Sendable () -> Void,
        postponed: @escaping @Sendable (BatonError) -> Void,
        clear: @escaping @Sendable (ClearRequest) async throws -> AcknowledgementOutcome
    ) async throws {
        try await participate(
            Participation.App(
                id: appID, memory: .standard(for: appID), token: InheritedToken.take(),
                signedIn: { _, _ in await signedIn() }, clear: clear, registered: {}, admitted: admitted,
                postponed: postponed, clearsAtEnd: { true }))
    }
}
