import BatonContract
import BusTesting
import Vocabulary

@testable import Agent

/// A moment of the device's day, as the start page shows it.
struct StartPageMoment: Sendable {
    let name: String
    var state: PageState

    private init(_ name: String, _ phase: String, _ change: (inout PageState) -> Void = { _ in }) {
        self.name = name
        var state = PageState()
        state.phase = phase
        state.identity = "local"
        change(&state)
        self.state = state
    }

    private static func hold(_ state: inout PageState, _ name: String = "Ana Horvat") {
        (state.name, state.username, state.since) = (name, "ana", 1_795_700_000_000)
    }

    /// Of some of them there is a picture.
    private static func app(_ name: String) -> PageState.App {
        .init(id: "org.example.App", name: name, hasIcon: name.count.isMultiple(of: 2))
    }

    /// What the page is given for it, instead of an app's.
    static let icon = """
        {"src":"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Ccircle cx='4' cy='4' r='4'/%3E%3C/svg%3E"}
        """

    private static func ended(_ outcome: Outcome, unchecked: [String] = [], name: String = "Ana Horvat") -> EndedTurn {
        var receipt = Receipt()
        receipt.outcome = outcome
        receipt.browser = .clean
        receipt.shared = (["start-page"] + unchecked).map { .init(holder: $0, outcome: .unchecked, explanation: "") }
        return EndedTurn(name, receipt)
    }

    static let all = [
        StartPageMoment("away", "away"),
        StartPageMoment("free", "ready"),
        StartPageMoment("free, workers of before and keys", "ready") {
            $0.recent = ["Ana Horvat", "Bo Larsen", longName].enumerated().map { .init(key: "\($0)", label: $1) }
            ($0.hasKeys, $0.about) = (true, ["ward-3", "Baton 0.1.0", "x11"])
        },
        StartPageMoment("free, provider", "ready") { $0.identity = "oidc" },
        StartPageMoment("free, wrong PIN", "ready") { $0.message = "wrongPIN" },
        StartPageMoment("free, all is gone", "ready") { $0.ended = ended(.cleared) },
        StartPageMoment("free, not all is gone", "ready") {
            // As an ordinary sign-out has them, and one of each other kind.
            let rows = [
                "screen-properties", "earlier-processes", "user-units", "screen-settings", "ipc", "kept-files",
                "other-folders",
                "clipboard", "keyring", "print-jobs", "files", "browser", "of-another-version",
            ]
            $0.ended = ended(.owed, unchecked: rows, name: longName)
            ($0.site, $0.contact) = ("Ward 3", "IT, 4711")
        },
        StartPageMoment("signing in", "signing-in"),
        StartPageMoment("free, provider and phone", "ready") { ($0.identity, $0.offersPhone) = ("oidc", true) },
        StartPageMoment("signing in with a phone", "signing-in") {
            $0.phone = PhoneSignIn(
                SignInStep(
                    kind: .deviceCode, url: "https://login.example/" + String(repeating: "device", count: 12),
                    userCode: "ABCD-EFGH-JKLM",
                    verificationURIComplete: "https://login.example/device?user_code=ABCD-EFGH",
                    expires: 1_795_700_900_000_000))
        },
        StartPageMoment("in use", "in-use") {
            hold(&$0)
            $0.canLock = true
            $0.apps = ["Orders", "Stock", "Mail"].map(app)
        },
        StartPageMoment("in use, hostile names", "in-use") {
            hold(&$0, longName)
            $0.apps = (["<b onclick=\"x\">Till</b>", "\u{202E}Till", longName] + (1...20).map { "App \($0)" }).map(app)
        },
        StartPageMoment("in use, a PIN to choose", "in-use") {
            hold(&$0)
            ($0.canLock, $0.message, $0.hasKeys) = (true, "choosePIN", true)
        },
        StartPageMoment("countdown", "in-use") {
            hold(&$0)
            ($0.countdownEnds, $0.cause) = (4_102_444_800_000, "idleCause")
        },
        StartPageMoment("free, for developers", "ready") { $0.developer = DeveloperLog() },
        StartPageMoment("in use, for developers", "in-use") {
            hold(&$0)
            $0.developer = developerLog
        },
        StartPageMoment("clearing", "clearing"),
        StartPageMoment("out of service", "quarantined") { $0.contact = "IT, 4711" },
    ]

    private static var developerLog: DeveloperLog {
        var log = DeveloperLog()
        let account = Account(id: "https://idp.example \(longName)", username: "ana", name: longName, locale: "hr")
        let answer = DeveloperQuery.Answer(epoch: 7, current: account)
        log.add(.init(isSignal: true, name: "SignedIn", text: "epoch 7"))
        log.add(.init(name: "GetDeviceInformation", text: "mode: shared\nissuer: \(longName)", milliseconds: 2))
        log.add(.init(name: "GetCurrentAccount", text: answer.text, milliseconds: 1), account: answer.account, of: 0)
        log.add(.init(name: "SignIn", text: "AccountMismatch", reason: "heldByAnother", milliseconds: 12))
        return log
    }

    static func named(_ name: String) throws -> StartPageMoment {
        guard let moment = all.first(where: { $0.name == name }) else {
            throw TestingError("no moment is called \(name)")
        }
        return moment
    }

    /// With markup, a text direction of its own, and no place to break it.
    private static let longName =
        "<script>alert(1)</script>\u{202E}" + String(repeating: "Wolfeschlegelstein", count: 15)

    /// What a person could not read, reach or hit with a finger, as an expression in the page: a list of texts.
    static let faults = """
        (() => {
          const faults = [], wide = document.documentElement.clientWidth;
          if (document.documentElement.scrollWidth > wide) faults.push('the page is wider than the screen');
          for (const part of document.querySelectorAll('button, input, h1, h2, h3, p, label, li, dt, dd')) {
            const box = part.getBoundingClientRect();
            if (box.width === 0 || part.closest('ul')?.hidden) continue;
            const name = part.id || part.textContent.slice(0, 30);
            if (box.left < 0 || box.right > wide + 1) faults.push(name + ' is not on the screen');
            if (part.matches('button, input') && (box.height < 44 || box.width < 44)) faults.push(name + ' is small');
            if (part.matches('button') && part.scrollWidth > part.clientWidth + 1) faults.push(name + ' is cut off');
          }
          return faults;
        })()
        """
}
