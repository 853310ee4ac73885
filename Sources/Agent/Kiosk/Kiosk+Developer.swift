import Baton
import BatonContract
import Presentation
import Vocabulary

/// The part of the start page for people who write apps. Where the settings do not ask for it there is none, and no call of it is made.
extension Kiosk {
    private var isForDevelopers: Bool { configuration.startPage.isForDevelopers }

    func ask(_ query: DeveloperQuery) async -> WorkerLine {
        guard isForDevelopers, let number = await startPages?.state.developer?.number else { return .message(.failed) }
        let start = ContinuousClock.now
        let answer = await link.ask(query)
        var line = DeveloperLog.Line(
            name: query.rawValue, text: answer.text, milliseconds: Self.milliseconds(since: start))
        if let error = answer.error { (line.text, line.reason) = (error.rawValue, answer.text) }
        await startPages?.change { [line] in $0.developer?.add(line, account: answer.account, of: number) }
        return .none
    }

    /// Does what the page asked for; its call stands in the log, too.
    func noted(_ wish: StartPageServer.Wish, _ work: () async -> WorkerLine) async -> WorkerLine {
        guard isForDevelopers, let member = wish.member, let number = await startPages?.state.developer?.number else {
            return await work()
        }
        let start = ContinuousClock.now
        let answer = await work()
        let line = DeveloperLog.Line(
            name: member, text: answer.error?.rawValue ?? "", reason: answer.pageText,
            milliseconds: Self.milliseconds(since: start))
        await startPages?.change { $0.developer?.add(line, account: nil, of: number) }
        return answer
    }

    func note(_ event: DeviceEvent) async {
        guard isForDevelopers else { return }
        let (name, text) = event.developerText
        let line = DeveloperLog.Line(isSignal: true, name: name, text: text)
        let endsTurn =
            switch event {
            case .signingOut, .signedOut: true
            default: false
            }
        await startPages?.change {
            if endsTurn { $0.developer?.clear() }
            $0.developer?.add(line)
        }
    }

    private static func milliseconds(since start: ContinuousClock.Instant) -> Int {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return Int(clamping: seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}

extension StartPageServer.Wish {
    /// What it is called on the bus; nil: it is no call, or stands in the log by itself.
    fileprivate var member: String? {
        switch self {
        case .signIn, .signInAgain, .signInAtProvider, .signInWithPhone: "SignIn"
        case .cancelSignIn: "CancelSignIn"
        case .signOut: "SignOut"
        case .staySignedIn: "KeepSignedIn"
        case .lock, .lockWithoutPIN: "Lock"
        case .open, .ask: nil
        }
    }
}

extension DeviceEvent {
    /// As the bus contract calls it, and what it says; of accounts nothing, since the log goes on after a sign-out.
    fileprivate var developerText: (name: String, text: String) {
        switch self {
        case .appeared: ("org.baton.Device1", "present")
        case .vanished: ("org.baton.Device1", "away")
        case .modeChanged(let mode): ("DeviceMode", mode.rawValue)
        case .phaseChanged(let phase): ("Phase", phase.rawValue)
        case .signedIn(let epoch, _): ("SignedIn", "epoch \(epoch)")
        case .signingOut(let epoch, _, let reason, _):
            ("SigningOut", "epoch \(epoch), \(reason?.rawValue ?? "unknown")")
        case .signedOut(let epoch, _, let outcome): ("SignedOut", "epoch \(epoch), \(outcome?.rawValue ?? "unknown")")
        case .automaticSignOutPending(let reason, _): ("AutomaticSignOutPending", reason?.rawValue ?? "unknown")
        case .automaticSignOutCancelled: ("AutomaticSignOutCancelled", "")
        }
    }
}
