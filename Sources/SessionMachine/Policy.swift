public import Vocabulary

/// The settings that the machine obeys; durations in microseconds.
public struct Policy: Hashable, Sendable {
    /// How long the previous account is remembered.
    public enum Memory: Hashable, Sendable {
        case always
        case off
        /// Microseconds since the turn ended.
        case duration(UInt64)
    }

    public var soft: UInt64 = 1_500_000
    public var hard: UInt64 = 5_000_000
    public var absolute: UInt64 = 10_000_000
    public var containment: UInt64 = 3_000_000
    public var unproven: UnprovenTreatment = .owe
    public var acceptsUnlistedApps = true
    /// The apps that have a file under `apps.d`, by id.
    public var apps: [String: AppData] = [:]
    /// Those whose file demands that they prove who they are.
    public var provenApps: Set<String> = []
    public var countdown: UInt64 = 60_000_000
    public var signInTimeout: UInt64 = 300_000_000
    public var agentRequired = true
    /// How long an agent may be away while a worker holds the device.
    public var agentGrace: UInt64 = 10_000_000
    /// The least time between two retries of a quarantine that sign-outs ask for.
    public var retryPause: UInt64 = 5_000_000
    /// How long a sign-out waits for the identity provider; nil: there is none to tell.
    public var providerWait: UInt64?
    /// How long the browser may take to show the start page; nil: no browser is managed.
    public var pagePatience: UInt64?
    public var remembersPrevious: Memory = .always
    public var participants = 512
    public var participantsPerUser = 256
    public var connectionsPerApp = 4
    public var debtsPerUser = 256
    /// Restarts of the supervisor in one barrier after which it gives up and quarantines.
    public var restarts = 3

    public init() {}
}
