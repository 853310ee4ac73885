import BatonContract
import LocalAccounts
import Vocabulary

extension Settings {
    /// Settings that can be used, and what an administrator should know beside them.
    public struct Parsed: Sendable {
        public let settings: Settings
        /// What is wrong with apps that therefore are not in `settings.apps`; the start goes on without them,
        /// `--check` fails.
        public let appFaults: [SettingsFault]
        /// The ids of these apps.
        public let disabledApps: [String]
        public let warnings: [SettingsFault]
        /// What is set, by key.
        public let values: [SettingsValue]
    }

    /// Reads the settings: from `layers`, the first of which wins, then from the text of the file, then defaults.
    ///
    /// Pure, so that a reload can try it and keep the old settings when it throws. All faults are reported at once.
    ///
    /// - Parameter accounts: The accounts' own file; nil: there is none, and the list in the text counts.
    public static func parse(
        _ text: String, file: String, scope: Scope, layers: [SettingsLayer] = [], apps: [AppFile] = [],
        accounts: SettingsFile? = nil
    ) throws(SettingsFaults) -> Parsed {
        try parse([(text, file)], scope: scope, layers: layers, apps: apps, accounts: accounts, files: nil)
    }

    /// - Parameters:
    ///   - texts: The settings file, and its drop-ins as they are read.
    ///   - files: Judges the files that the settings name; nil: nothing on the disk is looked at.
    static func parse(
        _ texts: [(text: String, file: String)], scope: Scope, layers: [SettingsLayer], apps: [AppFile],
        accounts: SettingsFile?, files: ReferencedFiles?
    ) throws(SettingsFaults) -> Parsed {
        var reader = SettingsReader(texts, layers: layers)
        var settings = Settings(defaultsFor: scope)
        settings.read(from: &reader, files: files, accounts: accounts)
        reader.finish()
        let judged = AppFile.judge(apps)
        guard reader.faults.isEmpty else { throw SettingsFaults(reader.faults + judged.faults) }
        settings.apps = judged.apps
        return Parsed(
            settings: settings, appFaults: judged.faults, disabledApps: judged.disabled,
            warnings: reader.warnings + judged.warnings, values: reader.values.values.sorted { $0.key < $1.key })
    }

    /// Every key that `parse` knows.
    public static var keys: [String] {
        var reader = SettingsReader(text: "", file: "", layers: [])
        var settings = Settings(defaultsFor: .system)
        settings.read(from: &reader, files: nil, accounts: nil)
        return reader.known.map(\.name).sorted()
    }

    /// What each of these can be.
    static var kinds: [SettingsKey: SettingsKind] {
        // With a provider, so that its keys are asked for as well.
        var kinds: [SettingsKey: SettingsKind] = [:]
        for kind in ["local", "oidc"] {
            var reader = SettingsReader(text: "identity: {kind: \(kind)}", file: "", layers: [])
            var settings = Settings(defaultsFor: .system)
            settings.read(from: &reader, files: nil, accounts: nil)
            kinds.merge(reader.kinds) { first, _ in first }
        }
        return kinds
    }

    private mutating func read(from reader: inout SettingsReader, files: ReferencedFiles?, accounts: SettingsFile?) {
        mode = reader.word(.mode, default: mode)
        identity = IdentityReader.read(from: &reader, files: files, accounts: accounts)
        readBarrier(from: &reader)
        readAutomaticSignOut(from: &reader)
        browser = BrowserReader.read(from: &reader)
        adoptBrowser(from: &reader)
        startPage = StartPageReader.read(from: &reader)
        desktop = DesktopReader.read(from: &reader)
        agent.user = reader.optional(.agentUser, expected: "a user name", SettingsText.userName) ?? agent.user
        agent.required = reader.flag(.agentRequired, default: agent.required)
        agent.start = reader.flag(.agentStart, default: agent.start)
        agent.grace = reader.duration(.agentGrace, default: agent.grace, in: .seconds(1)...Duration.seconds(60))
        agent.acceptsWeakProof = reader.flag(.agentAcceptWeakProof, default: agent.acceptsWeakProof)
        strays.read(from: &reader)
        holders.read(from: &reader)
        signInTimeout = reader.duration(.signInTimeout, default: signInTimeout, least: .seconds(10))
        tokens = reader.word(.tokens, default: tokens)
        commandLineOrigins = CommandLineReader.read(from: &reader)
        readLimits(from: &reader)
        log.names = reader.word(.logNames, default: log.names)
        metrics = MetricsSettings(from: &reader)
        administrators = reader.list(
            .administrators, default: administrators, expected: "a user name, or %group",
            SettingsText.administrator)
        rememberPrevious = reader.value(
            .rememberPrevious, default: rememberPrevious,
            expected: "always, off or \(SettingsText.durationExample)"
        ) { text in
            switch text {
            case "always": .always
            case "off": .off
            default: SettingsText.duration(text).map { .duration($0) }
            }
        }
        keepReceipts = reader.duration(.keepReceipts, default: keepReceipts, least: .seconds(3600))
    }

    /// A managed browser is where the provider leads back to after a log-out, unless the settings name a place.
    private mutating func adoptBrowser(from reader: inout SettingsReader) {
        guard case .oidc(var provider) = identity, browser.isManaged,
            !reader.isSet(.identityPostLogoutRedirectURI)
        else { return }
        provider.postLogoutRedirectURI = browser.address + BrowserPaths.signedOut
        identity = .oidc(provider)
    }

    private mutating func readBarrier(from reader: inout SettingsReader) {
        let least = Duration.milliseconds(1)
        barrier.soft = reader.duration(.barrierSoft, default: barrier.soft, least: least)
        barrier.hard = reader.duration(.barrierHard, default: barrier.hard, least: least)
        barrier.absolute = reader.duration(.barrierAbsolute, default: barrier.absolute, least: least)
        barrier.containment = reader.duration(.barrierContainment, default: barrier.containment, least: least)
        barrier.unproven = reader.word(.barrierUnproven, default: barrier.unproven)
        barrier.unlistedApps = reader.word(.barrierUnlistedApps, default: barrier.unlistedApps)
        let said = Self.said
        if barrier.soft >= barrier.hard {
            reader.refuse(
                anyOf: [.barrierSoft, .barrierHard],
                "\(said(.barrierSoft, barrier.soft)) must be shorter than \(said(.barrierHard, barrier.hard))")
        }
        if barrier.hard + barrier.containment > barrier.absolute {
            reader.refuse(
                anyOf: [.barrierAbsolute, .barrierHard, .barrierContainment],
                "\(said(.barrierHard, barrier.hard)) and \(said(.barrierContainment, barrier.containment)) "
                    + "together must not be longer than \(said(.barrierAbsolute, barrier.absolute))")
        }
        if barrier.absolute > .seconds(20) {
            reader.refuse(
                .barrierAbsolute,
                "must not be longer than 20s: callers on the bus wait for 25 s at most")
        }
        if case .oidc(let provider) = identity, provider.signOutWait >= barrier.absolute {
            reader.refuse(
                anyOf: [.identitySignOutWait, .barrierAbsolute],
                "\(said(.identitySignOutWait, provider.signOutWait)) must be shorter than "
                    + "\(SettingsKey.barrierAbsolute) (\(SettingsText.text(barrier.absolute)))")
        }
    }

    private mutating func readAutomaticSignOut(from reader: inout SettingsReader) {
        automaticSignOut = Settings.AutomaticSignOut(
            reader.word(.automaticSignOutPreset, default: Settings.AutomaticSignOutPreset.office))
        automaticSignOut.idle = Self.limit(.automaticSignOutIdle, default: automaticSignOut.idle, from: &reader)
        automaticSignOut.turn = Self.limit(.automaticSignOutTurn, default: automaticSignOut.turn, from: &reader)
        automaticSignOut.countdown = reader.duration(
            .automaticSignOutCountdown, default: automaticSignOut.countdown, least: .zero)
        readLock(from: &reader)
        automaticSignOut.anyInputStays = reader.flag(
            .automaticSignOutAnyInput, default: automaticSignOut.anyInputStays)
        let times = reader.list(
            .automaticSignOutAt, default: automaticSignOut.at, expected: "a time of day, such as 06:00 or 22:30",
            SettingsText.timeOfDay)
        automaticSignOut.at = Set(times).sorted()
        let limits = [
            (SettingsKey.automaticSignOutIdle, automaticSignOut.idle),
            (.automaticSignOutTurn, automaticSignOut.turn),
        ]
        for case (let key, let limit?) in limits where limit <= automaticSignOut.countdown {
            reader.refuse(
                anyOf: [key, .automaticSignOutCountdown],
                "\(Self.said(key, limit)) must be longer than "
                    + "\(Self.said(.automaticSignOutCountdown, automaticSignOut.countdown)), which is its last part")
        }
    }

    /// After the countdown: a lock comes before it, or not at all.
    private mutating func readLock(from reader: inout SettingsReader) {
        let countdown = automaticSignOut.idle.map { $0 - automaticSignOut.countdown }
        // One that a preset alone wants gives way to what is said of the rest.
        if let lock = automaticSignOut.lock, let countdown, lock >= countdown { automaticSignOut.lock = nil }
        automaticSignOut.lock = Self.limit(.automaticSignOutLock, default: automaticSignOut.lock, from: &reader)
        automaticSignOut.lockGrace = reader.duration(
            .automaticSignOutLockGrace, default: automaticSignOut.lockGrace, least: .seconds(1))
        if let lock = automaticSignOut.lock, let countdown, lock >= countdown {
            reader.refuse(
                anyOf: [.automaticSignOutLock, .automaticSignOutIdle, .automaticSignOutCountdown],
                "\(Self.said(.automaticSignOutLock, lock)) must be shorter than "
                    + "\(SettingsKey.automaticSignOutIdle) without its countdown (\(SettingsText.text(countdown)))")
        }
    }

    /// A duration, or `off`.
    private static func limit(
        _ key: SettingsKey, default fallback: Duration?, from reader: inout SettingsReader
    ) -> Duration? {
        reader.value(key, default: fallback, expected: "off or \(SettingsText.durationExample)") { text in
            text == "off" ? .some(nil) : SettingsText.duration(text).map { .some($0) }
        }
    }

    private mutating func readLimits(from reader: inout SettingsReader) {
        limits.participants = reader.count(.limitsParticipants, default: limits.participants, in: 1...4096)
        limits.participantsPerUser = reader.count(
            .limitsParticipantsPerUser, default: limits.participantsPerUser, in: 1...4096)
        limits.debtsPerUser = reader.count(.limitsDebtsPerUser, default: limits.debtsPerUser, in: 1...4096)
        limits.details = reader.value(
            .limitsDetails, default: limits.details, expected: "a size from 4KiB to 1MiB, such as 64KiB"
        ) { text in
            SettingsText.size(text).flatMap { (4 << 10...1 << 20).contains($0) ? $0 : nil }
        }
        limits.receipts = reader.count(.limitsReceipts, default: limits.receipts, in: 1...100_000)
        if limits.participantsPerUser > limits.participants {
            reader.refuse(
                anyOf: [.limitsParticipantsPerUser, .limitsParticipants],
                "\(SettingsKey.limitsParticipantsPerUser.leaf) (\(limits.participantsPerUser)) must not be more than "
                    + "\(SettingsKey.limitsParticipants.leaf) (\(limits.participants))")
        }
    }

    /// A duration in a message about several: `soft (1500ms)`.
    private static func said(_ key: SettingsKey, _ duration: Duration) -> String {
        "\(key.leaf) (\(SettingsText.text(duration)))"
    }
}

extension SettingsReader {
    mutating func duration(_ key: SettingsKey, default fallback: Duration, least: Duration) -> Duration {
        let bound = least > .milliseconds(1) ? " of \(SettingsText.text(least)) or longer" : ""
        let expected = SettingsText.durationExample + bound
        return value(key, default: fallback, expected: expected) { text in
            SettingsText.duration(text).flatMap { $0 >= least ? $0 : nil }
        }
    }

    mutating func duration(_ key: SettingsKey, default fallback: Duration, in range: ClosedRange<Duration>) -> Duration
    {
        let bounds = "\(SettingsText.text(range.lowerBound)) to \(SettingsText.text(range.upperBound))"
        return value(key, default: fallback, expected: "a duration from \(bounds), such as 1500ms or 5s") { text in
            SettingsText.duration(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    mutating func count(_ key: SettingsKey, default fallback: Int, in range: ClosedRange<Int>) -> Int {
        note(key, .count(range))
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return value(key, default: fallback, expected: expected) { text in
            SettingsText.count(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A list of texts; each that `refusal` has something against is a fault of its own and is left out.
    mutating func texts(
        _ key: SettingsKey, default fallback: [String], expected: String, refusal: (String) -> String?
    ) -> [String] {
        var accepted: [String] = []
        for (index, text) in list(key, default: fallback, expected: expected, { $0 }).enumerated() {
            if let refusal = refusal(text) {
                refuse(key, "'\(SettingsText.printable(text))' \(refusal)", line: node(key)?.item(index)?.line)
            } else {
                accepted.append(text)
            }
        }
        return accepted
    }

    mutating func flag(_ key: SettingsKey, default fallback: Bool) -> Bool {
        note(key, .flag)
        return value(key, default: fallback, expected: "true or false", SettingsText.flag)
    }
}
