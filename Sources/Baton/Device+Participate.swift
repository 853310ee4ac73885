public import BatonContract
public import DBus

extension Device {
    /// Takes part in the hand-over of the device until the task is cancelled.
    ///
    ///     try await device.participate(as: "org.example.WardList") { account, epoch in
    ///         await notes.open(for: account)
    ///     } clear: { request in
    ///         try await notes.remove()
    ///         return .cleared
    ///     }
    ///
    /// The app registers, is told of each worker once, and clears when the worker leaves, also when it missed that. The
    /// device waits for it, and hands the app's next account out only after it has cleared. batond and the bus may be
    /// restarted meanwhile. The two functions never run at the same time. On cancellation an app that holds nothing of
    /// a worker leaves; one that does stays on the device's list and clears when it comes back.
    ///
    /// - Parameter appID: What the app is called, such as `org.example.WardList`; one app for each process.
    /// - Parameter memory: Where the app remembers through which turn it has cleared; nil: the standard file.
    /// - Parameter token: What the agent handed to an app that it started; nil: the descriptor that `BATON_TOKEN_FD` names,
    ///   if there is one.
    /// - Parameter signedIn: A worker holds the device, for the turn with this number. Its task is cancelled when they
    ///   leave while it still runs; clearing begins after it has returned.
    /// - Parameter clear: Removes everything that the app holds of workers. Returning says that this is done: `cleared`,
    ///   or `nothingToClear`. `failed`, or throwing, asks the device to stop this app and to wipe its data.
    /// - Parameter registered: Called after each registration, before anything else.
    /// - Parameter postponed: Called with `limitExceeded` when the device has no room for one more app: this app takes no part
    ///   and gets no token until it has, and is asked for again every few seconds. Once for each reason.
    /// - Throws: `BatonError` when the device refuses this app, such as `notAuthorized`; `clear`'s own error when the
    ///   app could not clear what another installation of the device left it, so that it may not take part.
    public func participate(
        as appID: String, memory: ParticipationMemory? = nil, token: OwnedDescriptor? = nil,
        signedIn: @escaping @Sendable (Account, Epoch) async -> Void = { _, _ in },
        clear: @escaping @Sendable (ClearRequest) async throws -> AcknowledgementOutcome,
        registered: @escaping @Sendable () -> Void = {},
        postponed: @escaping @Sendable (BatonError) -> Void = { _ in }
    ) async throws {
        try await participate(
            .init(
                id: appID, memory: memory ?? .standard(for: appID), token: token ?? InheritedToken.take(),
                signedIn: signedIn, clear: clear, registered: registered, postponed: postponed))
    }

    /// Takes part while the work runs, for a program that is soon done and keeps nothing: it clears at the end, whether
    /// the worker leaves or not, and the device does not wait for it later.
    ///
    /// - Parameter appID: As in `participate`.
    /// - Parameter clear: As in `participate`.
    /// - Parameter work: Runs while the app takes part; calls for tokens wait until it is registered.
    public func participating<Value: Sendable>(
        as appID: String, clear: @escaping @Sendable (ClearRequest) async throws -> AcknowledgementOutcome,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let app = Participation.App(
            id: appID, memory: .none, token: InheritedToken.take(), signedIn: { _, _ in }, clear: clear,
            registered: {}, clearsAtEnd: { true })
        // Before the work asks for anything.
        membership.set(.joining)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                // What ends it for good, the work's calls say.
                try? await participate(app)
                return nil
            }
            defer { group.cancelAll() }
            return try await work()
        }
    }

    func participate(_ app: Participation.App) async throws {
        var participation = Participation(app, membership: membership)
        membership.set(.joining)
        try await participation.run(bus: bus, thread: connection.thread)
    }
}
