@_exported public import Baton
public import DBus

/// An app on a shared device, for developers who know MSAL: it takes part in the hand-over, and gets tokens for the worker who
/// holds the device.
///
///     let configuration = PublicClientApplicationConfig(clientId: "…", redirectUri: nil, authority: nil)
///     let application = try PublicClientApplication(configuration: configuration, appID: "org.example.Till") { request in
///         try await notes.remove()
///         return .cleared
///     }
///     let result = try await application.acquireToken(with: InteractiveTokenParameters(scopes: ["User.Read"]))
///
/// Its errors are `NSError`s of `MSALErrorDomain`, as `MSALErrorTable` says; only a cancelled task's is its own. While it
/// lives, the app takes part. Each call has two forms, `async` and with a completion block.
public final class PublicClientApplication: Sendable {
    let identity: ClientIdentity
    let client: DeviceClient

    /// - Parameter configuration: As in MSAL; the client id and the authority in the device's settings count.
    /// - Parameter appID: What the app is called, such as `org.example.Till`; nil: `BATON_APP_ID`, which the agent sets,
    ///   or the id in a redirect URI of the form `msauth.<app id>://auth`.
    /// - Parameter bus: nil: the one that the environment names, as in `Device.connect`.
    /// - Parameter memory: As in `Device.participate`.
    /// - Parameter signedIn: As in `Device.participate`.
    /// - Parameter clear: Removes everything that the app holds of workers, as in `Device.participate`: no app gets
    ///   tokens of a shared device without a way to clear.
    /// - Throws: When the configuration is wrong, and when it is for several accounts and the device is shared.
    public init(
        configuration: PublicClientApplicationConfig, appID: String? = nil, bus: BusAddress? = nil,
        memory: ParticipationMemory? = nil,
        signedIn: @escaping @Sendable (Account, Epoch) async -> Void = { _, _ in },
        clear: @escaping @Sendable (ClearRequest) async throws -> AcknowledgementOutcome
    ) throws {
        let identity = try speakingMSAL { try ClientIdentity(configuration, appID: appID) }
        self.identity = identity
        let client = DeviceClient(
            .init(id: identity.appID, memory: memory, signedIn: signedIn, clear: clear), bus: bus)
        self.client = client
        if identity.accountMode == .multiple {
            try speakingMSAL {
                switch OnThisThread.run({ try? await client.device().deviceMode }) {
                case .personal: break
                case .shared: throw ClientFault.severalAccounts
                case .unknown, nil: throw ClientFault.severalAccountsPerhaps
                }
            }
        }
        client.begin()
        LiveApplications.add(self)
    }

    /// The other initialiser that MSAL has.
    public convenience init(
        clientId: String, authority: ClientAuthority? = nil, redirectUri: String? = nil, appID: String? = nil,
        bus: BusAddress? = nil, memory: ParticipationMemory? = nil,
        signedIn: @escaping @Sendable (Account, Epoch) async -> Void = { _, _ in },
        clear: @escaping @Sendable (ClearRequest) async throws -> AcknowledgementOutcome
    ) throws {
        try self.init(
            configuration: PublicClientApplicationConfig(
                clientId: clientId, redirectUri: redirectUri, authority: authority),
            appID: appID, bus: bus, memory: memory, signedIn: signedIn, clear: clear)
    }

    deinit {
        client.end()
        LiveApplications.remove(ObjectIdentifier(self))
    }

    /// Clears what this app holds of the worker and ends its part: for an app that is about to end while the worker stays.
    /// One that merely ends stays on the device's list and clears when it comes back.
    public func end() async { await client.endClean() }

    public var appID: String { identity.appID }

    /// A copy, with what was left open filled in.
    public var configuration: PublicClientApplicationConfig {
        let configuration = PublicClientApplicationConfig(
            clientId: identity.clientID, redirectUri: identity.redirectURI.text, authority: identity.authority)
        configuration.accountMode = identity.accountMode
        return configuration
    }
}
