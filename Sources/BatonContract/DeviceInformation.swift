import DBus
public import Vocabulary

/// The answer of `GetDeviceInformation`.
public struct DeviceInformation: ReportMessage, Hashable {
    public var mode: DeviceMode
    public var phase: Phase
    public var epoch: Epoch
    public var deviceID: String
    public var hostname: String
    public var version: String
    public var bootID: String
    /// When batond started, Unix time in microseconds.
    public var started: Int64
    /// When the worker who holds the device signed in, Unix time in microseconds; 0: no worker does.
    public var since: Int64
    /// Where accounts come from; nil: the daemon is older than this word, or says one that is not known here.
    public var identity: IdentityKind?
    /// Of the identity provider; empty with local accounts.
    public var issuer: String
    public var tenant: String
    /// Nil: a word that is not known here.
    public var agent: AgentPresence?
    /// No worker can sign in while the agent is away; nil: the daemon is older than this word.
    public var isAgentRequired: Bool?
    /// How well the agent can prove that something ended; nil while it is away.
    public var containment: Proof?
    public var browser: BrowserDescription
    /// The browser's program as the settings name it, an absolute path; nil: where the system has it.
    public var browserExecutable: String?
    /// The display that the agent found: `x11` or `wayland`; else empty.
    public var session: String
    /// What the agent cannot check here, and what to do about it.
    public var warnings: [String]
    public var participants: UInt32
    /// Nil: a word that is not known here.
    public var bus: BusKind?
    /// Another one than an app remembers: the app must clear, whatever number it remembers.
    public var journalID: String
    /// For the agent, which has hold of what runs in the turn that goes on; see `AgentWelcome`. Nil: none.
    public var journalBefore: String?
    /// What tells batond about idleness; nil: a word that is not known here.
    public var idle: IdleSource?
    /// Why the device is quarantined, else empty.
    public var explanation: String
    /// What a free device still lacks before the next worker can sign in; empty: nothing.
    public var missing: String
    /// Where `batonctl call` may send a worker's token; nil: the command line gets no tokens.
    public var commandLineOrigins: [String]?
    /// Of local accounts: wrong PINs since the last right one of each account.
    public var wrongPINs: UInt32
    /// Local accounts that are locked after wrong PINs.
    public var lockedAccounts: UInt32
    /// When the worker of a locked screen is signed out, CLOCK_BOOTTIME in microseconds; 0: it is not locked.
    public var lockEnds: UInt64 = 0
    /// When a worker who is being warned is signed out, unless they say that they stay: CLOCK_BOOTTIME in microseconds; 0: none is.
    public var countdownEnds: UInt64 = 0
    /// Why; nil: no worker is being warned, or it is a word that is not known here.
    public var countdownReason: SignOutReason?

    private var countdownWord: String? {
        get { countdownReason?.rawValue }
        set { countdownReason = newValue.flatMap(SignOutReason.init) }
    }

    /// Of a daemon that says nothing: fail closed.
    public init() {
        self.init(
            mode: .unknown, phase: .quarantined, epoch: 0, deviceID: "", hostname: "", version: "", bootID: "",
            started: 0, since: 0, issuer: "", tenant: "", agent: nil, browser: BrowserDescription(rawValue: ""),
            participants: 0, bus: nil, journalID: "", idle: nil, explanation: "")
    }

    public init(
        mode: DeviceMode, phase: Phase, epoch: Epoch, deviceID: String, hostname: String, version: String,
        bootID: String, started: Int64, since: Int64, identity: IdentityKind? = nil, issuer: String, tenant: String,
        agent: AgentPresence?, browser: BrowserDescription, participants: UInt32, bus: BusKind?, journalID: String,
        idle: IdleSource?, explanation: String, missing: String = "", containment: Proof? = nil, session: String = "",
        warnings: [String] = [], commandLineOrigins: [String]? = nil, isAgentRequired: Bool? = nil,
        browserExecutable: String? = nil, wrongPINs: UInt32 = 0, lockedAccounts: UInt32 = 0
    ) {
        self.wrongPINs = wrongPINs
        self.lockedAccounts = lockedAccounts
        self.mode = mode
        self.phase = phase
        self.epoch = epoch
        self.deviceID = deviceID
        self.hostname = hostname
        self.version = version
        self.bootID = bootID
        self.started = started
        self.since = since
        self.identity = identity
        self.issuer = issuer
        self.tenant = tenant
        self.agent = agent
        self.containment = containment
        self.browser = browser
        self.session = session
        self.warnings = warnings
        self.commandLineOrigins = commandLineOrigins
        self.isAgentRequired = isAgentRequired
        self.browserExecutable = browserExecutable
        self.participants = participants
        self.bus = bus
        self.journalID = journalID
        self.idle = idle
        self.explanation = explanation
        self.missing = missing
    }

    public static let fields: [MessageField<Self>] = [
        .word("mode", \.mode, "as GetDeviceMode"),
        .word("phase", \.phase),
        .value("epoch", \.epoch),
        .value("device-id", \.deviceID),
        .value("hostname", \.hostname),
        .value("version", \.version),
        .value("boot-id", \.bootID),
        .value("started", \.started, "batond"),
        .value("since", \.since, "of the present account"),
        .wordIfKnown("identity", \.identity, "local, oidc"),
        .value("issuer", \.issuer, "of the identity provider"),
        .value("tenant", \.tenant, "of the identity provider"),
        .wordIfKnown("agent", \.agent, "present, away"),
        .optional("agent-required", \.isAgentRequired, "no worker can sign in while it is away"),
        .wordOrEmpty(
            "containment", \.containment,
            "how well the agent can prove that something ended: namespace, cgroup, tree, pid"),
        .typedText("browser", \.browser, "the managed browser, with its version, or none"),
        .optional(
            "browser-executable", \.browserExecutable,
            "the program that the settings name; absent: where the system has it"),
        .value("session", \.session, "x11, wayland"),
        .value("warnings", \.warnings, "checks that are not possible here, with advice"),
        .value("participants", \.participants),
        .wordIfKnown("bus", \.bus, "system, session"),
        .value("journal-id", \.journalID),
        .wordIfKnown(
            "idle", \.idle, "what tells of it: " + IdleSource.allCases.map(\.rawValue).joined(separator: ", ")),
        .value("explanation", \.explanation, "why quarantined"),
        .value("missing", \.missing, "what a free device lacks before the next worker can sign in"),
        .optional(
            "command-line-origins", \.commandLineOrigins,
            "where batonctl call may send a token; absent: the command line gets none"),
        .value("wrong-pins", \.wrongPINs, "of local accounts, since the last right ones"),
        .value("locked-accounts", \.lockedAccounts, "local accounts that are locked now"),
        .value(
            "lock-ends", \.lockEnds,
            "when the worker of a locked screen is signed out, CLOCK_BOOTTIME; 0: it is not locked"),
        .value(
            "countdown-ends", \.countdownEnds,
            "when the worker is signed out, of which they are being warned, CLOCK_BOOTTIME; 0: they are not"),
        .optional("countdown-reason", \.countdownWord, "idle, expired; absent: there is no countdown"),
        .optional("journal-before", \.journalBefore, "for the agent, see its Register"),
    ]
}
