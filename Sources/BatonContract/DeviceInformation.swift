public import DBus
public import Vocabulary

/// The answer of `GetDeviceInformation`.
public struct DeviceInformation: Hashable, Sendable, Codable {
    public var mode: DeviceMode
    public var phase: Phase
    public var epoch: Epoch
    public var deviceID: String
    public var hostname: String
    public var version: String
    public var bootID: String
    /// When batond started, Unix time in microseconds.
    public var started: Int64
    /// When the worker who holds the device signed in, Unix time in microseconds; 0: nobody does.
    public var since: Int64
    /// Where accounts come from: `local` or `oidc`; empty: the daemon is older than this word, so local.
    public var identity: String
    /// Of the identity provider; empty with local accounts.
    public var issuer: String
    public var tenant: String
    /// `present` or `away`.
    public var agent: String
    /// Nobody signs in while the agent is away; nil: the daemon is older than this word.
    public var isAgentRequired: Bool?
    /// How well the agent can prove that something ended: `namespace`, `cgroup`, `tree` or `pid`; empty while it is away.
    public var containment: String
    /// `none`: no browser is managed.
    public var browser: String
    /// The browser's program as the settings name it, an absolute path; nil: where the system has it.
    public var browserExecutable: String?
    /// The display that the agent found: `x11` or `wayland`; else empty.
    public var session: String
    /// What the agent cannot check here, and what to do about it.
    public var warnings: [String]
    public var participants: UInt32
    /// `system` or `session`.
    public var bus: String
    /// Another one than an app remembers: the app must clear, whatever number it remembers.
    public var journalID: String
    /// What tells batond about idleness; `no source`: nothing does, so nobody is signed out for it.
    public var idle: String
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

    enum CodingKeys: String, CodingKey {
        case mode, phase, epoch, hostname, version, started, since, identity, issuer, tenant, agent, browser
        case containment, session, warnings, participants, bus, idle, explanation, missing
        case deviceID = "device-id"
        case bootID = "boot-id"
        case journalID = "journal-id"
        case commandLineOrigins = "command-line-origins"
        case isAgentRequired = "agent-required"
        case browserExecutable = "browser-executable"
        case wrongPINs = "wrong-pins"
        case lockedAccounts = "locked-accounts"
    }

    public init(
        mode: DeviceMode, phase: Phase, epoch: Epoch, deviceID: String, hostname: String, version: String,
        bootID: String, started: Int64, since: Int64, identity: String = "", issuer: String, tenant: String,
        agent: String, browser: String, participants: UInt32, bus: String, journalID: String, idle: String,
        explanation: String, missing: String = "", containment: String = "", session: String = "",
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

    /// Keys that are missing are empty; a mode or phase that is not known is `unknown` or `quarantined`: fail closed.
    public init(_ dictionary: VariantDictionary) {
        func text(_ key: CodingKeys) -> String { dictionary[key.rawValue]?.string ?? "" }
        self.init(
            mode: DeviceMode(rawValue: text(.mode)) ?? .unknown,
            phase: Phase(rawValue: text(.phase)) ?? .quarantined,
            epoch: dictionary["epoch"].flatMap(Epoch.init) ?? 0, deviceID: text(.deviceID), hostname: text(.hostname),
            version: text(.version), bootID: text(.bootID), started: dictionary["started"]?.int64 ?? 0,
            since: dictionary["since"]?.int64 ?? 0, identity: text(.identity),
            issuer: text(.issuer), tenant: text(.tenant), agent: text(.agent), browser: text(.browser),
            participants: dictionary["participants"]?.uint32 ?? 0, bus: text(.bus),
            journalID: text(.journalID), idle: text(.idle), explanation: text(.explanation), missing: text(.missing),
            containment: text(.containment), session: text(.session),
            warnings: dictionary["warnings"]?.strings ?? [],
            commandLineOrigins: dictionary[CodingKeys.commandLineOrigins.rawValue]?.strings,
            isAgentRequired: dictionary[CodingKeys.isAgentRequired.rawValue]?.boolean,
            browserExecutable: dictionary[CodingKeys.browserExecutable.rawValue]?.string,
            wrongPINs: dictionary[CodingKeys.wrongPINs.rawValue]?.uint32 ?? 0,
            lockedAccounts: dictionary[CodingKeys.lockedAccounts.rawValue]?.uint32 ?? 0)
    }

    public var dictionary: VariantDictionary {
        var values: VariantDictionary = [
            "mode": .string(mode.rawValue), "phase": .string(phase.rawValue), "epoch": epoch.variant,
            "device-id": .string(deviceID), "hostname": .string(hostname), "version": .string(version),
            "boot-id": .string(bootID), "started": .int64(started), "since": .int64(since),
            "identity": .string(identity),
            "issuer": .string(issuer), "tenant": .string(tenant), "agent": .string(agent), "browser": .string(browser),
            "participants": .uint32(participants), "bus": .string(bus), "journal-id": .string(journalID),
            "idle": .string(idle), "explanation": .string(explanation),
            "missing": .string(missing), "containment": .string(containment), "session": .string(session),
            "warnings": .strings(warnings),
            "wrong-pins": .uint32(wrongPINs), "locked-accounts": .uint32(lockedAccounts),
        ]
        values[CodingKeys.commandLineOrigins.rawValue] = commandLineOrigins.map { .strings($0) }
        values[CodingKeys.isAgentRequired.rawValue] = isAgentRequired.map { .boolean($0) }
        values[CodingKeys.browserExecutable.rawValue] = browserExecutable.map { .string($0) }
        return values
    }
}
