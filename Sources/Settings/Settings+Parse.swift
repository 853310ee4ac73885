internal import BatonContract
internal import LocalAccounts

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
        try parse(text, file: file, scope: scope, layers: layers, apps: apps, accounts: accounts, files: nil)
    }

    /// - Parameter files: Judges the files that the settings name; nil: nothing on the disk is looked at.
    static func parse(
        _ text: String, file: String, scope: Scope, layers: [SettingsLayer], apps: [AppFile],
        accounts: SettingsFile?, files: ReferencedFiles?
    ) throws(SettingsFaults) -> Parsed {
        var reader = SettingsReader(text: text, file: file, layers: layers)
        var settings = Settings(defaultsFor: scope)
        settings.read(from: &reader, files: files, accounts: accounts)
        reader.finish()
        let judged = AppFile.judge(apps)
        guard reader.faults.isEmpty else { throw SettingsFaults(reader.faults + judged.faults) }
        settings.apps = judged.apps
        return Parsed(
            settings: settings, appFaults: judged.faults, disabledApps: judged.disabled,
            warnings: reader.warnings + judged.warnings)
    }

    /// Every key that `parse` knows.
    public static var keys: [String] {
        var reader = SettingsReader(text: "", file: "", layers: [])
        var settings = Settings(defaultsFor: .system)
        settings.read(from: &reader, files: nil, accounts: nil)
        return reader.known.sorted()
    }

    private mutating func read(from reader: inout SettingsReader, files: ReferencedFiles?, accounts: SettingsFile?) {
        mode = reader.word("mode", default: mode)
        identity = IdentityReader.read(from: &reader, files: files, accounts: accounts)
        readBarrier(from: &reader)
        readAutomaticSignOut(from: &reader)
        browser = BrowserReader.read(from: &reader)
        adoptBrowser(from: &reader)
        agent.user = reader.optional("agent.user", expected: "a user name", SettingsText.userName) ?? agent.user
        agent.required = reader.flag("agent.required", default: agent.required)
        agent.start = reader.flag("agent.start", default: agent.start)
        agent.grace = reader.duration("agent.grace", default: agent.grace, in: .seconds(1)...Duration.seconds(60))
        agent.acceptsWeakProof = reader.flag("agent.accept-weak-proof", default: agent.acceptsWeakProof)
        strays.read(from: &reader)
        holders.read(from: &reader)
        signInTimeout = reader.duration("sign-in-timeout", default: signInTimeout, least: .seconds(10))
        tokens = reader.word("tokens", default: tokens)
        commandLineOrigins = CommandLineReader.read(from: &reader)
        readLimits(from: &reader)
        log.names = reader.word("log.names", default: log.names)
        administrators = reader.list(
            "administrators", default: administrators, expected: "a user name, or %group",
            SettingsText.administrator)
        rememberPrevious = reader.value(
            "remember-previous", default: rememberPrevious,
            expected: "always, off or \(SettingsText.durationExample)"
        ) { text in
            switch text {
            case "always": .always
            case "off": .off
            default: SettingsText.duration(text).map { .duration($0) }
            }
        }
        keepReceipts = reader.duration("keep-receipts", default: keepReceipts, least: .seconds(3600))
    }

    /// A managed browser is where the provider leads back to after a log-out, unless the settings name a place.
    private mutating func adoptBrowser(from reader: inout SettingsReader) {
        guard case .oidc(var provider) = identity, browser.isManaged,
            !reader.isSet("identity.post-logout-redirect-uri")
        else { return }
        provider.postLogoutRedirectURI = browser.address + BrowserPaths.signedOut
        identity = .oidc(provider)
    }

    private mutating func readBarrier(from reader: inout SettingsReader) {
        let least = Duration.milliseconds(1)
        barrier.soft = reader.duration("barrier.soft", default: barrier.soft, least: least)
        barrier.hard = reader.duration("barrier.hard", default: barrier.hard, least: least)
        barrier.absolute = reader.duration("barrier.absolute", default: barrier.absolute, least: least)
        barrier.containment = reader.duration("barrier.containment", default: barrier.containment, least: least)
        barrier.unproven = reader.word("barrier.unproven", default: barrier.unproven)
        barrier.unlistedApps = reader.word("barrier.unlisted-apps", default: barrier.unlistedApps)
        let text = SettingsText.text
        if barrier.soft >= barrier.hard {
            reader.refuse(
                anyOf: ["barrier.soft", "barrier.hard"],
                "soft (\(text(barrier.soft))) must be shorter than hard (\(text(barrier.hard)))")
        }
        if barrier.hard + barrier.containment > barrier.absolute {
            reader.refuse(
                anyOf: ["barrier.absolute", "barrier.hard", "barrier.containment"],
                "hard (\(text(barrier.hard))) and containment (\(text(barrier.containment))) together must not be "
                    + "longer than absolute (\(text(barrier.absolute)))")
        }
        if barrier.absolute > .seconds(20) {
            reader.refuse(
                "barrier.absolute",
                "must not be longer than 20s: callers on the bus wait for 25 s at most")
        }
        if case .oidc(let provider) = identity, provider.signOutWait >= barrier.absolute {
            reader.refuse(
                anyOf: ["identity.sign-out-wait", "barrier.absolute"],
                "sign-out-wait (\(text(provider.signOutWait))) must be shorter than barrier.absolute "
                    + "(\(text(barrier.absolute)))")
        }
    }

    private mutating func readAutomaticSignOut(from reader: inout SettingsReader) {
        automaticSignOut.idle = reader.value(
            "automatic-sign-out.idle", default: automaticSignOut.idle,
            expected: "off or \(SettingsText.durationExample)"
        ) { text in
            text == "off" ? .some(nil) : SettingsText.duration(text).map { .some($0) }
        }
        if automaticSignOut.idle != nil, reader.isSet("automatic-sign-out.idle") {
            reader.warn(
                line: reader.node("automatic-sign-out.idle")?.line, key: "automatic-sign-out.idle",
                "nothing tells batond about idleness yet, so nobody is signed out for it (idle: no source)")
        }
        automaticSignOut.countdown = reader.duration(
            "automatic-sign-out.countdown", default: automaticSignOut.countdown, least: .zero)
        let times = reader.list(
            "automatic-sign-out.at", default: automaticSignOut.at, expected: "a time of day, such as 06:00 or 22:30",
            SettingsText.timeOfDay)
        automaticSignOut.at = Set(times).sorted()
        if let idle = automaticSignOut.idle, idle <= automaticSignOut.countdown {
            reader.refuse(
                anyOf: ["automatic-sign-out.idle", "automatic-sign-out.countdown"],
                "idle (\(SettingsText.text(idle))) must be longer than countdown "
                    + "(\(SettingsText.text(automaticSignOut.countdown))), which is its last part")
        }
    }

    private mutating func readLimits(from reader: inout SettingsReader) {
        limits.participants = reader.count("limits.participants", default: limits.participants, in: 1...4096)
        limits.participantsPerUser = reader.count(
            "limits.participants-per-user", default: limits.participantsPerUser, in: 1...4096)
        limits.debtsPerUser = reader.count("limits.debts-per-user", default: limits.debtsPerUser, in: 1...4096)
        limits.details = reader.value(
            "limits.details", default: limits.details, expected: "a size from 4KiB to 1MiB, such as 64KiB"
        ) { text in
            SettingsText.size(text).flatMap { (4 << 10...1 << 20).contains($0) ? $0 : nil }
        }
        limits.receipts = reader.count("limits.receipts", default: limits.receipts, in: 1...100_000)
        if limits.participantsPerUser > limits.participants {
            reader.refuse(
                anyOf: ["limits.participants-per-user", "limits.participants"],
                "participants-per-user (\(limits.participantsPerUser)) must not be more than participants "
                    + "(\(limits.participants))")
        }
    }
}

extension SettingsReader {
    mutating func duration(_ key: String, default fallback: Duration, least: Duration) -> Duration {
        let bound = least > .milliseconds(1) ? " of \(SettingsText.text(least)) or longer" : ""
        let expected = SettingsText.durationExample + bound
        return value(key, default: fallback, expected: expected) { text in
            SettingsText.duration(text).flatMap { $0 >= least ? $0 : nil }
        }
    }

    mutating func duration(_ key: String, default fallback: Duration, in range: ClosedRange<Duration>) -> Duration {
        let bounds = "\(SettingsText.text(range.lowerBound)) to \(SettingsText.text(range.upperBound))"
        return value(key, default: fallback, expected: "a duration from \(bounds), such as 1500ms or 5s") { text in
            SettingsText.duration(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    mutating func count(_ key: String, default fallback: Int, in range: ClosedRange<Int>) -> Int {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return value(key, default: fallback, expected: expected) { text in
            SettingsText.count(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    mutating func flag(_ key: String, default fallback: Bool) -> Bool {
        value(key, default: fallback, expected: "true or false", SettingsText.flag)
    }
}
