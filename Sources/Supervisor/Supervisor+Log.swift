import Log
import Logging
import ReceiptChain
import SessionMachine
import Settings
import Vocabulary

extension Supervisor {
    /// One line for what an administrator cares about.
    func log(_ remark: Effect.Remark) {
        switch remark {
        case .acknowledgementRefused(let word, let refusal):
            log.tell(
                .acknowledgementRefused, .warning, "acknowledgement refused",
                [
                    "sender": "\(word.sender)", "instance": "\(word.instance)", "epoch": "\(word.epoch)",
                    "error": "\(refusal.name)",
                ])
        case .acknowledgementsRefused(let row):
            log.tell(
                .acknowledgementRefused, .warning, "acknowledgements refused",
                [
                    "sender": "\(row.sender)", "app": "\(row.app?.id ?? "")", "error": "\(row.error.rawValue)",
                    "count": "\(row.count)",
                ])
        case .impostor(let app, let sender):
            log.tell(
                .impostor, .warning, "an app spoke in the agent's place", ["app": "\(app.id)", "sender": "\(sender)"])
        case .misused(let app, let misuse):
            log.tell(
                .misuse, .warning, "a process calls too much",
                [
                    "app": "\(app?.id ?? "")", "sender": "\(misuse.sender ?? "")", "pid": "\(misuse.pid)",
                    "error": "\(misuse.kind.rawValue)", "count": "\(misuse.count)",
                ])
        case .outOfPlace(let what): log.debug("out of place", metadata: ["event": "\(what.text)"])
        case .agentMissing:
            log.tell(.agentAway, .error, "the agent is away while a worker is being signed out")
        case .doomed(let why):
            log.tell(.quarantined, .critical, "the device is quarantined", ["reason": "\(why.text)"])
        case .locked(let epoch, true):
            log.tell(.screenLocked, .info, "the screen is locked", ["epoch": "\(epoch)", "outcome": "covered"])
        case .locked(let epoch, false):
            log.tell(
                .screenLocked, .error, "the screen could not be covered for a lock",
                ["epoch": "\(epoch)", "outcome": "open"])
        case .unlocked(let epoch):
            log.tell(.screenUnlocked, .info, "the worker is back at the locked screen", ["epoch": "\(epoch)"])
        case .unlockRefused(let epoch, let tries):
            log.tell(
                .unlockRefused, .warning, "a PIN at the locked screen was wrong",
                ["epoch": "\(epoch)", "tries": "\(tries)"])
        case .released(let release):
            log.tell(
                .released, .notice, "the quarantine has ended",
                [
                    "by": "\(release.by)", "explanation": "\(release.explanation.text)",
                    "receipt-head": "\(receiptHead)",
                ])
        }
    }

    func log(_ announcement: Effect.Announcement) {
        switch announcement {
        case .signedIn(let epoch, let holder):
            log.tell(
                .signedIn, .info, "a worker has signed in", ["epoch": "\(epoch)", "account": "\(shown(holder))"])
        case .signingOut(let epoch, let holder, let reason, _):
            log.tell(
                .signingOut, .info, "the worker is being signed out",
                ["epoch": "\(epoch)", "account": "\(shown(holder))", "reason": "\(reason.rawValue)"])
        case .signedOut, .automaticSignOutPending, .automaticSignOutCancelled: break
        }
    }

    /// Before the records are written: the first write of a sign-out is part of it.
    func rememberTime(before records: [Record]) {
        for case .clearing in records { timeSpentBefore = journal.timeSpent }
    }

    /// How a sign-out ended, and each app that did not answer for itself.
    func log(_ records: [Record]) {
        for case .ended(let receipt) in records {
            for app in receipt.participants where ![.cleared, .nothingToClear].contains(app.outcome) {
                log.tell(
                    .appOutcome, .warning, "an app did not clear by itself",
                    [
                        "epoch": "\(receipt.epoch)", "app": "\(app.app.id)", "uid": "\(app.app.uid)",
                        "outcome": "\(app.outcome.rawValue)", "proof": "\(app.proof?.rawValue ?? "")",
                    ])
            }
            let journal = journal.timeSpent.subtracting(timeSpentBefore)
            log.tell(
                .signedOut, receipt.outcome == .cleared ? .info : .warning, "the worker is signed out",
                [
                    "epoch": "\(receipt.epoch)", "account": "\(shown(receipt.holder))",
                    "reason": "\(receipt.reason.rawValue)", "outcome": "\(receipt.outcome.rawValue)",
                    "participants": "\(receipt.participants.count)", "microseconds": "\(receipt.took)",
                    "journal-microseconds": "\(journal / 1000)", "receipt-head": "\(receiptHead)",
                ])
        }
    }

    /// For the log, which is kept elsewhere: up to there nothing can be taken from the chain of receipts unseen.
    private var receiptHead: String { self.journal.receiptHead?.text ?? "" }

    private func shown(_ holder: TurnAccount) -> String {
        let name = holder.attributes["username"] ?? ""
        return settings.log.names == .plain ? name : MaskedName.of(name)
    }
}

extension Effect.OutOfPlace {
    fileprivate var text: String {
        switch self {
        case .agentReport: "an agent that has left reported a result"
        case .registration: "an unknown agent registered"
        case .containment: "a containment ended that was not awaited"
        case .browserSignOut: "a browser check ended that was not awaited"
        case .sharedHolders: "shared holders were cleared without a request"
        case .signIn: "a sign-in succeeded that was not awaited"
        case .turnUser: "a turn user was chosen that was not awaited"
        case .lock: "a screen was covered for a lock that has ended"
        case .turnEnd: "a turn's slice ended that was not awaited"
        }
    }
}
