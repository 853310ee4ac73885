import Baton
import SystemPackage

extension Text {
    // MARK: Testing an app

    enum TestApp {
        static let noFolder = "no temporary folder can be made"
        static let noBus = "dbus-daemon did not start"
        static func noDaemon(_ log: String) -> String { "batond did not start:\n\(log)" }
        static func fault(_ fault: TrialTerminal.Fault) -> String {
            switch fault {
            case .missing(let program): "\(program) is neither beside batonctl nor in PATH."
            case .failed(let why): "The test could not begin: \(why)."
            }
        }

        static func registered(_ id: String) -> String { "It registered as \(id.printable)." }
        static let neverRegistered =
            "It did not call Register on org.baton.Device1 within 10 s. Does it use the session bus?"
        static func endedBeforeRegistering(_ code: Int32) -> String {
            "It ended with exit code \(code) before it had registered."
        }
        static func otherID(_ found: String, _ wanted: String) -> String {
            "It registered as \(found.printable), not as \(wanted.printable)."
        }

        static func holds(_ count: Int) -> String {
            "It kept \(count) \(count == 1 ? "file" : "files") of the worker in the data folders."
        }
        static let holdsNothing =
            "Within 2 s it kept nothing in the data folders, so its clearing was not tested."
        static let noData =
            "Without --data FOLDER no files were checked: name each folder in which the app keeps a worker's data."
        static func slow(_ milliseconds: UInt32) -> String {
            "It was slow (\(milliseconds) ms): a terminal names an app that takes more than 1500 ms, and stops it after 5000 ms. An app that needs "
                + "more calls Extend, at most twice."
        }
        static let owed =
            "It owes: Baton does not know where its data is, so wiped none of it, and the app gets no account before it has "
            + "cleared. Acknowledge within 5 s, or call Extend; on a terminal, a file under apps.d names what to wipe."
        static func lostWork(_ file: String, _ count: Int) -> String {
            "The worker was still signed in, and lost their work: \(file.printable) was removed or emptied"
                + (count > 1 ? ", and \(count - 1) more." : ".")
                + " Clear only on SigningOut, and when Register answers with a clear_through other than 0."
        }
        static func workUnchecked(_ error: Errno) -> String {
            "Whether the worker's files outlived the restart was not checked: the machine gives no watch on a folder (\(error)). Raise "
                + "fs.inotify.max_user_instances or fs.inotify.max_user_watches, or end programs that use them up."
        }
        static let keptWork = "The worker's files were still there."
        static func cleared(_ milliseconds: UInt32) -> String {
            "It acknowledged in time that it had cleared, after \(milliseconds) ms."
        }
        static func nothingToClear(_ milliseconds: UInt32) -> String {
            "It acknowledged in time that it had nothing to clear, after \(milliseconds) ms."
        }
        static func lied(_ file: String, _ count: Int) -> String {
            "It acknowledged that it had cleared, but \(file.printable) is still there"
                + (count > 1 ? ", and \(count - 1) more." : ".")
        }
        static func stopped(_ outcome: ParticipantOutcome, _ why: String, _ milliseconds: UInt32) -> String {
            let reason = why.isEmpty ? "it did not acknowledge" : why.printable
            return "The device stopped it after \(milliseconds) ms: \(reason) (\(outcome.rawValue))."
        }
        static let notInReceipt = "The receipt does not name it: it left before the worker did."
        static let gone = "It was gone when the next worker signed in."

        static let clearedBeforeKill =
            "It acknowledged before it could be killed, so a kill before the acknowledgement was not tested."
        static let notBack = "It was started again and did not register within 10 s."
        static let didNotPay =
            "It came back and did not clear what it had missed within 10 s. clear_through of Register names the turn; until it is "
            + "acknowledged, the app gets no account."
        static let paid = "It came back, was told what it had missed, cleared and acknowledged that."
        static let backAfterRestart = "It registered again when batond had been killed and was back."
        static let keptAfterRestart =
            "It did not register again within 3 s when batond had been killed and was back; its registration held. After a "
            + "reset of the journal none holds: register when org.baton.Device1 gets a new owner."
        static let notBackAfterRestart =
            "It did not register again within 10 s when batond had been killed and was back. Register when "
            + "org.baton.Device1 gets a new owner."

        static func title(_ step: String) -> String {
            switch step {
            case "register": "It starts"
            case "sign-out": "A worker signs in and out"
            case "missed-sign-out": "It is killed, misses a sign-out, and comes back"
            case "killed-while-clearing": "It is killed while it clears, and comes back"
            case "straight-over": "One worker leaves and the next one comes at once"
            case "daemon-restart": "batond is killed and comes back"
            default: step
            }
        }

        static func step(_ step: TrialStep, _ style: Style) -> String {
            let word =
                !step.passed
                ? style.bad("failed") : step.exercised ? style.good("passed") : style.warning("untried")
            return (["\(word)  \(style.bold(title(step.step)))"] + step.text.map { "        \($0)" })
                .joined(separator: "\n")
        }

        static func verdict(_ report: TrialReport) -> String {
            let failed = report.steps.count { !$0.passed }
            let untried = report.steps.count { $0.passed && !$0.exercised }
            let limit =
                untried == 0 ? "." : ", as far as it was tried: \(untried) of \(report.steps.count) steps were not."
            return failed == 0
                ? "\(report.app?.printable ?? "The app") takes part as it should\(limit)"
                : "\(report.app?.printable ?? "The app") does not take part as it should: \(failed) of "
                    + "\(report.steps.count) steps failed."
        }
    }
}

extension Text.Help {
    static let testApp = "Tells an app's developer whether it takes part as it should."
    static let testAppDiscussion = """
        Starts a private bus with a real batond and two workers, and the app on it; signs workers in and out, kills the app over \
        a sign-out and in the middle of one, hands over from one worker straight to the next, and restarts batond while a worker is signed in, whose files must \
        survive that. The app can be in any language. The test does not touch this device itself, and everything that it starts ends with it.

        The app finds the bus in DBUS_SESSION_BUS_ADDRESS and DBUS_SYSTEM_BUS_ADDRESS, and an empty folder in XDG_STATE_HOME; \
        what it prints goes to standard error.

        Exit codes: 0 the app takes part as it should, 1 it does not, 69 the test could not begin, 127 no such program.
        """
    static let testAppID = "The id that the app should register with."
    static let testAppData = """
        A folder in which the app keeps a worker's data, and in which no file may be left after a clearing; may be repeated. \
        Without it, the test trusts the app's acknowledgement.
        """
}
