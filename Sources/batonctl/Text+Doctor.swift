import Baton
import TurnControl
import Vocabulary

extension Text {
    // MARK: Doctor

    enum Doctor {
        static func busIsThere(isSystem: Bool) -> String { isSystem ? "the system bus" : "the session bus" }
        static func startBus(isSystem: Bool) -> String {
            isSystem ? "systemctl start dbus" : "log in to a desktop, or run this under dbus-run-session"
        }
        static let noDaemon = "batond does not run"
        static let daemonDoesNotStart =
            "batond does not run, though systemd has started it: it ends again, or is not ready yet"
        static func startDaemon(isSystem: Bool) -> String {
            isSystem ? "systemctl enable --now batond baton-agent" : "batond --session &"
        }
        static func daemonRuns(_ version: String) -> String { "batond \(version.printable) runs" }
        static func otherVersion(_ daemon: String, _ own: String) -> String {
            "batond is version \(daemon.printable), batonctl \(own)"
        }
        static func restartDaemon(isSystem: Bool) -> String {
            isSystem ? "systemctl restart batond, when no worker is signed in" : "stop batond and start it again"
        }
        static let notLetIn = "the bus does not let this user call batond"
        static func letIn(isRoot: Bool) -> String {
            isRoot
                ? "systemctl reload dbus, once the policy is there"
                : "run this as root or as a member of the group kiosk"
        }
        static func seeLog(isSystem: Bool) -> String { isSystem ? "journalctl -u batond" : "see what batond prints" }
        static func owner(_ name: String) -> String { "the name on the bus belongs to \(name.printable)" }
        static func wrongOwner(_ name: String?, _ expected: String) -> String {
            "the name on the bus belongs to \(name?.printable ?? "no process"), not to \(expected)"
        }
        static let installPolicy = "run make install, which installs the bus policy; then systemctl reload dbus"
        static func policyIsThere(_ file: String) -> String { file }
        static func noPolicy(_ file: String) -> String {
            "the bus policy \(file) is missing, so the bus lets no process own batond's name or call it"
        }
        static func policyIsHidden(_ file: String) -> String { "\(file.printable) cannot be read" }
        static func policyDiffers(_ file: String) -> String {
            "\(file.printable) differs from the policy that this version of Baton installs"
        }
        static let renewPolicy = "run make install to install it again; put your own rules in another file beside it"
        static func noUsers(_ names: [String]) -> String {
            "there is no user \(names.joined(separator: " and no user "))"
        }
        static let makeUsers = "systemd-sysusers, which make install calls"
        static let noAdministratorsGroup =
            "there is no group \(PolicyLook.administrators), so the bus lets no administrator but root call batond"
        static let makeAdministratorsGroup = "systemd-sysusers; systemctl reload dbus"

        static func quarantined(_ why: String) -> String {
            "the device is quarantined" + (why.isEmpty ? "" : ": \(why.printable)")
        }
        static let awaitPage = "wait for the browser; if it does not come, the log of baton-agent says why"
        static let endQuarantine = "sign out again, or batonctl reset as an administrator"
        static let mendJournal = "correct that file as the message says, then batonctl reset as an administrator"
        static func journalFile(_ file: String) -> String {
            "\(file) does not belong to batond's user, or batond may not read and write it"
        }
        static func journalIsHidden(_ folder: String) -> String { "\(folder): only baton and root may read it" }
        static func noJournalYet(_ folder: String) -> String { "\(folder): does not exist yet, batond creates it" }
        static func journalIsElsewhere(_ folder: String) -> String { "\(folder) does not exist, though batond runs" }
        static let unitState = "check whether batond is started with --state"
        static func journalOwner(_ folder: String, _ owner: String) -> String {
            "\(folder) belongs to \(owner.printable)"
        }
        static func journalIsOpen(_ folder: String) -> String { "\(folder) can be read by others" }
        static func journalIsThere(_ folder: String) -> String { folder }
        static func journalAside(_ file: String) -> String { "an earlier journal was moved aside: \(file)" }
        static let keepAside = "look at it or keep it, then remove it"
        static func noRoom(_ folder: String) -> String { "no room is left for \(folder)" }
        static func littleRoom(_ folder: String) -> String { "less than 32 MiB are free for \(folder)" }
        static let makeRoom = "free disk space: without its journal the device is quarantined"

        static let noBatond = "batond is neither beside batonctl nor in PATH"
        static let install = "make install"
        static let settingsAreRight = "batond finds no error"
        static func settingsWarn(_ lines: [String]) -> String {
            lines.prefix(8).map(\.printable).joined(separator: "; ") + (lines.count > 8 ? "; …" : "")
        }
        static let settingsAreHidden = "batond has read them; only root and batond may read the file"
        static func letBatonRead(_ file: String) -> String {
            "chgrp baton \(file.printable); chmod 0640 \(file.printable)"
        }
        static let seeHelpSettings = "batond --help-settings explains each key"
        static let asRoot = "run this as root"
        static let repairSettings = "correct it and run batonctl reload"
        static let correctNames = "correct the names, or make the users and groups; then batonctl reload"
        /// What batond has refused, it reads again when it starts.
        static func repaired(_ commands: [String], isRunning: Bool) -> String {
            (commands + [isRunning ? "batonctl reload" : "systemctl restart batond"]).joined(separator: "; ")
        }
        static func notRun(_ program: String, _ why: String) -> String { "\(program): \(why.printable)" }

        static func clockWentBack(_ epoch: Epoch) -> String {
            "the clock was set back: the receipt of turn \(epoch) is from the future"
        }
        static let setClock = "timedatectl set-ntp true"
        static let installClock = "apt install systemd-timesyncd"
        static let clockIsFree = "no time service sets the clock"
        static let clockIsRight = "synchronised"

        static let kernelIsFine = "pidfd, openat2 and memfd work"
        static func kernelLacks(_ names: [String]) -> String { "the kernel has no \(names.joined(separator: ", "))" }
        static let newerKernel = "use Linux 6.1 or later, without a seccomp filter that blocks these"
        static let namespacesWork = "bubblewrap can create pid namespaces"
        static let noNamespaces =
            "bubblewrap cannot create pid namespaces, so the proof that a program has ended is weaker"
        static let allowNamespaces = "apt install bubblewrap; sysctl kernel.unprivileged_userns_clone=1"
        static let groupsAreThere = "cgroup2"
        static let noGroups = "there are no control groups (cgroup2)"
        static let mountGroups = "boot with systemd's unified hierarchy"

        static let turnsAreOff =
            "browsers and apps run as the agent's user; systemctl enable --now baton-turns.target changes that"
        static func turnsAreOn(_ count: Int) -> String {
            "browsers and sandboxed apps run as one of \(count) users, another one in each turn"
        }
        static func turnIsOut(_ number: TurnNumber, _ left: [TurnResidue]) -> String {
            "\(number.user) is out of service: \(left.map(\.text).joined(separator: "; "))"
        }
        static func cleanTurn(_ number: TurnNumber) -> String {
            "loginctl disable-linger \(number.user); end what else is left of it, or restart the terminal"
        }
        static let turnsKeepNothing = "sockets are missing, so that apps with home.keep cannot start"
        static let restartTurns = "systemctl daemon-reload; systemctl restart baton-turns.target batond baton-agent"
        static let allTurnsAreOut = "every turn user is out of service: no worker can sign in"
        static let rebootForTurns = "restart the terminal"

        static func agentIsThere(_ proof: Proof?) -> String {
            "present" + (proof.map { ", stops apps with \(Text.proof($0))" } ?? "")
        }
        static let agentIsAway = "the agent is away: batond cannot stop an app that does not answer"
        static let noAgentWanted =
            "away, and not required (\(SettingsKey.agentRequired)): an app that does not answer stays in debt, "
            + "and nothing else is checked"
        static func startAgent(isSystem: Bool) -> String {
            isSystem ? "systemctl enable --now baton-agent" : "see what batond prints; it starts the agent"
        }
        static let agentHangs = "the agent runs, and batond has not heard of it"
        static let agentCannotCome =
            "the agent runs, and cannot come to batond yet: see what is wrong with policy and session"
        static let seeAgentsLog = "journalctl -u baton-agent"
        static let pinsAreRight = "no account is locked"
        static func wrongPINs(_ tries: UInt32, locked: UInt32) -> String {
            let accounts = "\(locked) \(locked == 1 ? "account is" : "accounts are") locked"
            return "\(accounts), \(tries) wrong \(tries == 1 ? "PIN" : "PINs") since the last correct ones"
        }
        static let showLocked = "batonctl account locked; batonctl account unlock NAME, if it was their own mistake"
        static func sleepWaits(_ delay: Duration) -> String {
            "sleep and shutdown wait for the worker's sign-out, at most \(delay.components.seconds) s"
        }
        static let sleepDoesNotWait = "sleep and shutdown do not wait for the worker's sign-out"
        static let letSleepWait = "apt install polkitd; systemctl restart batond; else see journalctl -u batond"
        static func sleepWaitsShortly(_ delay: Duration) -> String {
            "logind waits for \(delay.components.seconds) s before sleep and shutdown, and a sign-out may take longer"
        }
        static let letSleepWaitLonger =
            "set InhibitDelayMaxSec=25s in /etc/systemd/logind.conf.d; systemctl reload systemd-logind"
        static func noLogind(_ cause: String) -> String {
            "systemd-logind does not say whether sleep and shutdown wait for a sign-out: \(cause.printable)"
        }
        static let startLogind = "systemctl start systemd-logind"
        static let checkAgent = "baton-agent --check, in the kiosk user's session"
        static let sandboxIsThere = "bubblewrap and xdg-dbus-proxy"
        static func noTools(_ names: [String]) -> String { "\(names.joined(separator: " and ")) cannot be run" }
        static let noBrowserWanted = "none is managed (\(SettingsKey.browserKind))"
        static func noBrowserThere(_ path: String) -> String {
            "\(path.printable), which \(SettingsKey.browserExecutable) names, cannot be run"
        }
        static func unknownBrowser(_ name: String) -> String {
            "batond names a browser that this batonctl does not know: \(name)"
        }
        static let sameVersions = "install batonctl and batond of one version"
        static let correctBrowser = "correct \(SettingsKey.browserExecutable) in the settings and run batonctl reload"
        static func browserIsThere(_ path: String) -> String { path.printable }

        static func end(_ report: DoctorReport) -> String {
            let wrong = report.findings.count { $0.state == .wrong }
            let warnings = report.findings.count { $0.state == .warning }
            let unchecked = report.findings.count { $0.state == .unchecked }
            if report.isWell {
                return unchecked == 0 ? "All is well." : "All that was looked at is well; \(unchecked) unchecked."
            }
            return "\(wrong) wrong, \(warnings) \(warnings == 1 ? "warning" : "warnings")."
        }
    }
}

// MARK: The units, the session and the provider

extension Text.Doctor {
    static let noSystemd =
        "systemd does not answer, so it is not known whether batond and baton-agent start with the terminal"
    static let unitsAreOn = "batond and baton-agent start with the terminal"
    static func noUnit(_ name: String) -> String { "\(name).service is not installed" }
    static func isMasked(_ name: String) -> String { "\(name).service is masked, so nothing can start it" }
    static func unmask(_ name: String) -> String { "systemctl unmask \(name); systemctl enable --now \(name)" }
    static func isDisabled(_ name: String) -> String { "\(name).service does not start with the terminal" }
    static func enable(_ name: String) -> String { "systemctl enable \(name)" }
    static let installAgain = "install Baton again: apt-get install --reinstall baton, or make install"

    static func noGroup(_ group: String, _ file: String) -> String {
        "\(file) lets the group \(group.printable) call batond, and there is no such group"
    }
    static func makeGroup(_ group: String, _ user: String) -> String {
        "groupadd --system \(group); \(joinGroup(group, user))"
    }
    static func notInGroup(_ user: String, _ group: String, _ file: String) -> String {
        "\(file) lets the group \(group.printable) call batond, and the agent's user \(user.printable) is not in it"
    }
    static func joinGroup(_ group: String, _ user: String) -> String {
        "usermod --append --groups \(group) \(user); systemctl reload dbus; systemctl restart baton-agent"
    }

    static let sessionIsHidden = "only root and the kiosk user can look at the kiosk user's session"
    static let noSessionFile = "there is no \(SessionFile.path), so the agent is not told where the display is"
    static let makeSessionFile =
        "systemd-tmpfiles --create baton.conf; name the display in \(SessionFile.path); systemctl restart baton-agent"
    static func sessionIsThere(_ display: String?) -> String { "the display \(display?.printable ?? "") answers" }
    static func noFolder(_ folder: String) -> String {
        "XDG_RUNTIME_DIR in \(SessionFile.path) is \(folder.printable), which is no folder"
    }
    static func foreignFolder(_ folder: String, _ owner: String) -> String {
        "XDG_RUNTIME_DIR in \(SessionFile.path) is \(folder.printable), which belongs to \(owner.printable)"
    }
    static let noRuntimeFolder =
        "\(SessionFile.path) has a WAYLAND_DISPLAY and no XDG_RUNTIME_DIR, below which it would be"
    static func noCompositor(_ path: String) -> String { "no compositor answers at \(path.printable)" }
    static let noDisplayNamed = "\(SessionFile.path) names neither DISPLAY nor WAYLAND_DISPLAY"
    static let nameDisplay = "name it there; systemctl restart baton-agent"
    static func noDisplay(_ name: String) -> String { "no X server answers at \(name.printable)" }
    static func otherDisplay(_ name: String, _ other: String) -> String {
        "no X server answers at \(name.printable), which \(SessionFile.path) names; there is one at \(other.printable)"
    }
    static func noSessionBus(_ path: String) -> String {
        "no bus answers at \(path.printable), which \(SessionFile.path) names: keyring and notifications are not reached"
    }
    static let startDesktop = "start the kiosk user's desktop (systemctl enable --now baton-kiosk, or your own)"

    static func noPolicies(_ path: String) -> String {
        "there is no \(path): the browser may offer workers to save passwords, and other things that outlast a turn"
    }
    static func policiesAreGone(_ path: String) -> String { "\(path) leads nowhere: the browser has no policies" }

    static let providerIsHidden =
        "whether the identity provider lets this device in is not known: only root may read the settings"
    static let tryProvider = "sign a worker in once"
    static func registerClient(_ redirectURI: String) -> String {
        "at the provider, look at the client and register the redirect URI \(redirectURI.printable)"
    }
    static let trustProvider =
        "have the provider's certificate renewed, name its CA (\(SettingsKey.identityCAFile)), or correct this device's clock"
    static let reachProvider = "look at network, name servers and \(SettingsKey.identityAuthority) in the settings"
    static let correctProvider =
        "correct the settings, or the provider's registration of this client; then batonctl reload"
}

extension Text.Help {
    static let doctor = "Lists the problems of this terminal, with advice."
    static let doctorDiscussion = """
        Checks bus, daemon, units, bus policy, polkit, journal, disk, settings, identity provider, clock, kernel, agent, session, sandbox \
        and browser, as far as the caller has access; root has access to more, and what was not looked at is unchecked. It starts and \
        changes nothing, and works when batond does not run. The provider is asked as a sign-in does, without a worker.

        Exit codes: 0 all is well, 1 something is wrong, 2 there are only warnings.
        """
}
