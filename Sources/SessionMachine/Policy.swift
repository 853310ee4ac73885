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

    public var soft: UInt64
    public var hard: UInt64
    public var absolute: UInt64
    public var containment: UInt64
    public var unproven: UnprovenTreatment
    public var acceptsUnlistedApps: Bool
    /// The apps that have a file under `apps.d`, by id.
    public var apps: [String: AppData] = [:]
    /// Those whose file demands that they prove who they are.
    public var provenApps: Set<String> = []
    public var countdown: UInt64
    /// How long without input before a worker is signed out, the countdown being its last part; nil: never.
    public var idle: UInt64?
    /// How long a worker has the device at most without saying that they are still there, the countdown being the last part of it;
    /// nil: as long as they want.
    public var longestTurn: UInt64?
    /// How long without input before the screen is locked; nil: it is not. In microseconds, as all durations here.
    public var lock: UInt64?
    /// How long a lock may last before it is a sign-out.
    public var lockGrace: UInt64 = .max
    /// How often the PIN of a lock may be wrong before it is a sign-out.
    public var lockTries = 5
    /// The accounts of workers have PINs of their own.
    public var workersHavePINs = false
    /// The worker of a locked screen can come back on another device of theirs, at the identity provider.
    public var comesBackByPhone = false
    /// Whatever a worker touches ends the countdown of an idle device; else only `KeepSignedIn` does.
    public var anyInputStays = false
    public var signInTimeout: UInt64
    public var agentRequired: Bool
    /// How long an agent may be away while a worker holds the device.
    public var agentGrace: UInt64
    /// The least time between two retries of a quarantine that sign-outs ask for.
    public var retryPause: UInt64 = 5_000_000
    /// How long a sign-out waits for the identity provider; nil: there is none to tell.
    public var providerWait: UInt64?
    /// The provider has something to say about the worker's browser.
    public var hasManagedBrowser = false
    /// How long the browser may take to show the start page; nil: no browser is managed.
    public var pagePatience: UInt64?
    /// The Unix users of whom each turn has one; empty: the turns have no users of their own.
    public var turnUsers: Set<UInt32> = []
    public var remembersPrevious: Memory
    public var participants: Int
    public var participantsPerUser: Int
    public var connectionsPerApp = 4
    public var debtsPerUser: Int
    /// Restarts of the supervisor in one barrier after which it gives up and quarantines.
    public var restarts = 3

    public var hasTurnUsers: Bool { !turnUsers.isEmpty }

    /// The settings alone have defaults. What has a value above is no setting, or is nothing unless they say more.
    public init(
        soft: UInt64, hard: UInt64, absolute: UInt64, containment: UInt64, unproven: UnprovenTreatment,
        acceptsUnlistedApps: Bool, countdown: UInt64, signInTimeout: UInt64, agentRequired: Bool, agentGrace: UInt64,
        remembersPrevious: Memory, participants: Int, participantsPerUser: Int, debtsPerUser: Int
    ) {
        self.soft = soft
        self.hard = hard
        self.absolute = absolute
        self.containment = containment
        self.unproven = unproven
        self.acceptsUnlistedApps = acceptsUnlistedApps
        self.countdown = countdown
        self.signInTimeout = signInTimeout
        self.agentRequired = agentRequired
        self.agentGrace = agentGrace
        self.remembersPrevious = remembersPrevious
        self.participants = participants
        self.participantsPerUser = participantsPerUser
        self.debtsPerUser = debtsPerUser
    }
}
