import Baton
import DBus
import Identity
import Vocabulary

/// Every text that people read, in one place, so that it can be translated.
enum Text {
    static let oneBus = "Choose one of --system, --session and --bus ADDRESS."
    static let noAccount = "none"
    static let none = "none"
    static let unknownApp = "(not registered)"

    // MARK: Accounts

    static func person(_ account: Account) -> String {
        let name = account.name.isEmpty ? account.username : account.name
        let text = name.isEmpty ? account.id : name
        return account.username.isEmpty || account.username == text ? text : "\(text) (\(account.username))"
    }

    static func holder(_ account: CurrentAccount) -> String { "Current:  \(person(account.current))" }
    static func before(_ account: CurrentAccount) -> String { "Previous: \(person(account.previous))" }

    static func person(_ account: Account?) -> String { account.map { person($0).printable } ?? noAccount }

    static func accountAdded(_ name: String, _ file: String) -> String { "Added \(name) to \(file)." }
    static func accountEdited(_ name: String, _ file: String) -> String { "Changed \(name) in \(file)." }
    static let nothingToEdit = "Name what to change: --name, --locale or --keyboard."
    static func unknownKeyboard(_ text: String, _ list: String) -> String {
        "'\(text.printable)' is not a keyboard layout of this machine; \(list) has them."
    }
    static func keyboard(_ layout: String) -> String { "keyboard \(layout)" }
    static func accountRemoved(_ name: String, _ file: String) -> String { "Removed \(name) from \(file)." }
    static func pinSet(_ name: String, _ file: String) -> String { "Set the PIN of \(name) in \(file)." }
    static func ownSettings(_ file: String, system: String) -> String {
        "Only a batond in root's own session reads \(file). Use --system for the terminal's file, \(system)."
    }
    static func oldAccounts(_ settings: String, line: Int, isMoved: Bool, to accounts: String) -> String {
        let first = isMoved ? "Moved the accounts from \(settings) to \(accounts). " : ""
        return first
            + "\(settings):\(line): \(SettingsKey.identityAccounts) no longer counts. Delete it from that file."
    }
    static let noWrongPINs = "No account has a wrong PIN since its last correct one."
    static func lockedUntil(_ time: String) -> String { "locked until \(time)" }
    static func wrongPINs(_ count: UInt32) -> String { "\(count) wrong \(count == 1 ? "PIN" : "PINs")" }
    static let typedAtStartPage = "at the start page"
    static let typedElsewhere = "elsewhere"
    static func accountUnlocked(_ username: String) -> String {
        "The wrong PINs of \(username.printable) are forgotten; the next one is checked at once."
    }
    static let noLocalAccounts = "There are no local accounts."
    static let noPIN = "no PIN: cannot sign in"
    static let reloaded = "batond has read its settings again."
    static let reloadAtStart = "batond does not run; it reads the settings when it starts."
    static func reloadYourself(_ reason: String) -> String {
        "batond has not read it yet: \(reason) Run `batonctl reload`."
    }
    static let noSettingsFile =
        "Cannot find the settings: neither XDG_CONFIG_HOME nor HOME is set. Use --config."

    // MARK: Device

    static func mode(_ mode: DeviceMode) -> String {
        switch mode {
        case .shared: "shared"
        case .personal: "default (one person's own)"
        case .unknown: "unknown (treat it as shared)"
        }
    }

    static func notReady(_ missing: String) -> String { "not ready: \(missing)" }
    static func agent(_ device: DeviceInformation) -> String {
        (device.agent?.rawValue ?? UnknownWord.text)
            + (device.containment.map { ", stops apps with \(proof($0))" } ?? "")
    }
    static func idle(_ source: IdleSource?) -> String {
        switch source {
        case nil: UnknownWord.text
        case .nothing: "no source (idle workers are not signed out)"
        case .some(let known): known.rawValue
        }
    }
    static let noAppIsRegistered = "No app is registered."
    static func receiptsLeftOut(_ count: UInt32) -> String {
        "\(count) older receipts do not fit here; `batonctl receipts TURN` shows each."
    }
    static let noReceipts = "There are no receipts yet."
    static let modeSet = "The device's mode is now"
    static func isRegistered(_ count: Int) -> String { count == 1 ? "1 app" : "\(count) apps" }
    static func debtSince(_ epoch: Epoch) -> String { "owes since turn \(epoch)" }
    static let slow = "slow"
    static let hidden = "(only an administrator may see the account)"

    enum Label {
        static let previous = "Previous"
        static let apps = "Apps"
        static let last = "Last"
        static let idle = "Idle"
        static let agent = "Agent"
        static let browser = "Browser"
        static let session = "Session"
        static let warning = "Warning"
        static let identity = "Accounts"
    }

    // MARK: Sign-out

    static let nothingToClear = "No app took part."
    static let signOutMayGoOn = "Interrupted. If the sign-out has begun, it goes on; `batonctl status` shows it."

    static func outcome(_ outcome: Outcome) -> String {
        switch outcome {
        case .cleared: "cleared"
        case .owed: "owed"
        case .contained: "contained"
        case .quarantined: "quarantined"
        }
    }

    static func appOutcome(_ outcome: ParticipantOutcome) -> String {
        switch outcome {
        case .nothingToClear: "nothing to clear"
        case .cleared, .contained, .owed, .unproven: outcome.rawValue
        }
    }

    static func participantState(_ state: ParticipantState?) -> String {
        switch state {
        case nil: UnknownWord.text
        case .inUse: "in use"
        case let state?: state.rawValue
        }
    }

    static func reason(_ reason: SignOutReason?) -> String {
        switch reason {
        case nil: "for a reason that this batonctl does not know"
        case .user: "the worker signed out"
        case .browser: "signed out in the browser"
        case .idle: "the device was idle"
        case .expired: "a time limit was reached"
        case .administrator: "an administrator"
        case .provider: "the identity provider"
        case .sleep: "the device went to sleep"
        case .shutdown: "the device shut down"
        case .lock: "the screen was locked for too long, or its PIN was wrong too often"
        case .agentLost: "the agent was lost"
        case .recovery: "recovery after a restart"
        }
    }

    static let isReadInPart = "read in part"
    static func unreadable(_ keys: [String]) -> String {
        "This batonctl cannot read all of the receipt's \(keys.map(\.printable).joined(separator: ", "))."
    }

    static func receiptTitle(_ receipt: Receipt) -> String { "Turn \(receipt.epoch)" }
    static func took(_ milliseconds: UInt32) -> String { "\(milliseconds) ms" }
    static func proof(_ proof: Proof) -> String { "proof: \(proof.rawValue)" }
    static func debts(_ debts: [Receipt.Debt]) -> String {
        "Owed from before: " + debts.map { "\($0.app.printable) (turn \($0.since))" }.joined(separator: ", ")
    }
    static func browser(_ receipt: Receipt) -> String {
        let more = receipt.browserExplanation
        return "Browser: \(receipt.browser.rawValue)" + (more.isEmpty ? "" : " – \(more.printable)")
    }
    static func check(_ holder: Receipt.Check) -> String {
        "\(holder.holder.printable) \(holder.outcome.rawValue)"
            + (holder.explanation.isEmpty ? "" : " – \(holder.explanation.printable)")
    }
    static func holder(_ holder: Receipt.Check) -> String {
        "Shared: \(check(holder))"
    }
    static func rejected(_ rejection: Receipt.Rejection) -> String {
        let kind =
            switch rejection.error {
            case .refused, .unknown: "Refused"
            // Those were answered, and there were too many of them.
            case .misuse: "Limit exceeded"
            }
        let what = "\(kind): \(rejection.count) × \(rejection.error.rawValue.printable) from "
        // Senders beyond those that the receipt names.
        if rejection.app.isEmpty, rejection.sender == OtherSenders.name { return what + rejection.sender }
        return what + "\(rejection.app.isEmpty ? unknownApp : rejection.app.printable), \(rejection.sender.printable)"
    }
    static func restarts(_ count: UInt32) -> String { "batond was restarted \(count) times in the middle of it." }
    static func release(_ release: Receipt.Release, _ time: String) -> String {
        "Released \(time) by \(release.by.rawValue)"
            + (release.explanation.isEmpty ? "" : " – \(release.explanation.printable)")
    }

    // MARK: Administration

    static let quarantineEnded = "The quarantine is over; the device is ready."
    static func quarantineEnded(now phase: Phase?) -> String {
        switch phase {
        case .inUse: "The quarantine is over: the journal can be read again, and its worker is still signed in."
        case .clearing: "The journal can be read again, and its worker is being signed out: see `batonctl status`."
        case .quarantined: "The device is quarantined again: see `batonctl status`."
        case .ready, .signingIn, nil: "The quarantine is over. There is no receipt of the last turn."
        }
    }
    static let everythingProven = "There was nothing unproven."
    static func unproven(_ what: [String]) -> String { "Not proven: \(what.joined(separator: "; "))" }
    static func forgotten(_ app: String) -> String { "The debt of \(app.printable) is forgotten." }
    static func forgotten(_ apps: Int) -> String {
        apps == 0 ? "Nothing is owed." : "The debt of \(apps == 1 ? "one app" : "\(apps) apps") is forgotten."
    }
    static let forgetWhat = "Name an app, or use --all."
    static func postponed(_ error: BatonError) -> String { "\(error.message.printable) Trying again." }
    static func ownedByMany(_ app: String, _ uids: [UInt32]) -> String {
        "Several users have \(app.printable) (\(uids.map(String.init).joined(separator: ", "))); use --uid."
    }
    static func leastPINLengthUnknown(_ reason: String, least: Int) -> String {
        "\(reason). The required length of a PIN is not known; at least \(least) bytes are accepted."
    }
    static func noSuchApp(_ app: String) -> String { "No app \(app.printable) is registered or in debt." }

    // MARK: Participate

    enum Participant {
        static let ready = "participate: ready"
        static func isHere(_ account: Account) -> String { "participate: \(Text.person(account).printable) is here" }
        static let cleared = "participate: cleared"
        static func clearFailed(_ status: String) -> String { "participate: the clear command \(status)" }
        static func signedInFailed(_ status: String) -> String { "participate: the signed-in command \(status)" }
        static func exited(_ code: Int32) -> String { "ended with exit code \(code)" }
        static func signalled(_ signal: Int32) -> String { "was ended by signal \(signal)" }
        static func notStarted(_ reason: String) -> String { "could not be started: \(reason.printable)" }
        static let gaveUp = "The data of an earlier device could not be cleared, so this app does not take part."
    }

    // MARK: Failures

    static func waitsForDaemon(on bus: BusAddress) -> String {
        "batond does not run on \(bus.text.printable); waiting for it. Start it with `\(bus.startCommand.printable)`."
    }

    static func failure(_ error: any Error) -> String {
        switch error {
        case let error as BatonError: error.description.printable
        case let error as DeviceError: error.description.printable
        case let error as PINFault: error.text
        case let error as ReceiptKeyProblem: Chain.problem(error)
        case is SettingsLocation.Unknown: noSettingsFile
        case is CommandLineTokens.Off: CommandLine.off
        case let error as CallOrigin.Refused: CommandLine.notListed(error)
        case let error as IdentityError: CommandLine.callFailed(error)
        case is Interrupted: interrupted
        default: "\(error)".printable
        }
    }

    static let interrupted = "Interrupted."
}
