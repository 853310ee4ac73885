public import LocalAccounts
public import Vocabulary

/// What the administrator decided, checked as a whole; `Settings.example` explains each key.
public struct Settings: Sendable, Hashable {
    /// Which bus the settings are for; it decides some defaults and how strictly the file's mode is judged.
    public enum Scope: Sendable, Hashable {
        case system, session
    }

    /// Who can sign in.
    public enum Identity: Sendable, Hashable {
        case local([LocalAccount])
        case oidc(OpenIDSettings)
    }

    /// Which apps may have tokens.
    public enum TokenApps: String, Sendable, CaseIterable {
        /// Those that have a file under `apps.d`.
        case listed
        case any
    }

    public struct AutomaticSignOut: Sendable, Hashable {
        /// Nil: never.
        public var idle: Duration? = .seconds(15 * 60)
        public var countdown: Duration = .seconds(60)
        /// How long without input before the screen is locked; nil: never.
        public var lock: Duration?
        /// How long a lock may last before it is a sign-out.
        public var lockGrace: Duration = .seconds(5 * 60)
        /// Any input ends the countdown of an idle device; else the worker has to say that they are there.
        public var anyInputStays = true
        /// How long a turn may last; nil: no limit.
        public var turn: Duration?
        /// In local time, ascending, each once.
        public var at: [TimeOfDay] = []

        public init() {}
    }

    /// What a kind of place wants of automatic sign-outs, as far as no other key says it.
    public enum AutomaticSignOutPreset: String, Sendable, CaseIterable {
        /// Terminals with data of patients, which many people pass by.
        case clinical
        case retail
        case office
    }

    public struct Limits: Sendable, Hashable {
        public var participants = 512
        public var participantsPerUser = 256
        public var debtsPerUser = 256
        /// The accepted size of an acknowledgement's details, in bytes.
        public var details = 64 << 10
        public var receipts = 1000
    }

    public struct Log: Sendable, Hashable {
        /// How workers are named in it.
        public var names: Names = .masked

        public enum Names: String, Sendable, CaseIterable { case masked, plain }
    }

    public enum Administrator: Sendable, Hashable {
        case user(String)
        case group(String)
    }

    public enum RememberPrevious: Sendable, Hashable {
        case always, off
        case duration(Duration)
    }

    public var mode: Mode = .shared
    public var identity: Identity = .local([])
    public var barrier = BarrierSettings()
    public var automaticSignOut = AutomaticSignOut()
    public var browser = BrowserSettings()
    public var startPage = StartPageSettings()
    public var desktop = DesktopSettings()
    public var agent: AgentSettings
    public var strays: StraySettings
    public var holders: HolderSettings
    /// For the command line, `commandLineOrigins` decides alone.
    public var tokens: TokenApps
    /// Where `batonctl call` may send a worker's token: `https://host`, or `http` on loopback; nil: the command line gets
    /// no tokens at all.
    public var commandLineOrigins: [String]?
    public var signInTimeout: Duration = .seconds(5 * 60)
    public var limits = Limits()
    public var log = Log()
    public var metrics = MetricsSettings()
    public var administrators: [Administrator] = [.user("root")]
    public var rememberPrevious: RememberPrevious = .always
    public var keepReceipts: Duration = .seconds(90 * 86400)
    /// The listed apps whose files are right, by id.
    public var apps: [AppSettings] = []

    public init(defaultsFor scope: Scope) {
        agent = AgentSettings(defaultsFor: scope)
        strays = StraySettings(defaultsFor: scope)
        holders = HolderSettings(defaultsFor: scope)
        tokens = scope == .system ? .listed : .any
    }

    /// The provider of `identity: {kind: oidc}`; nil with local accounts.
    public var openID: OpenIDSettings? {
        if case .oidc(let settings) = identity { settings } else { nil }
    }

    /// The accounts of `identity: {kind: local}`; none where a provider has them.
    public var accounts: [LocalAccount] {
        if case .local(let accounts) = identity { accounts } else { [] }
    }
}

/// A time of day in the device's time zone, such as `06:00`.
public struct TimeOfDay: Sendable, Hashable, Comparable {
    public let hour: Int
    public let minute: Int

    public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
        (left.hour, left.minute) < (right.hour, right.minute)
    }
}
