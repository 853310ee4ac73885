import Baton

/// One event as a line of JSON: `event` says which, the other keys are there where they mean something.
struct EventReport: Encodable {
    var event: String
    /// When batonctl heard of it: Unix time in microseconds.
    var time: Int64
    var epoch: Epoch?
    var account: Account?
    var reason: String?
    var deadline: UInt64?
    var outcome: Outcome?
    var mode: DeviceMode?
    var phase: Phase?

    init(_ event: DeviceEvent, at time: Int64) {
        self.time = time
        switch event {
        case .appeared: self.event = "appeared"
        case .vanished: self.event = "vanished"
        case .modeChanged(let mode):
            self.event = "mode-changed"
            self.mode = mode
        case .phaseChanged(let phase):
            self.event = "phase-changed"
            self.phase = phase
        case .signedIn(let epoch, let account):
            self.event = "signed-in"
            self.epoch = epoch
            self.account = account
        case .signingOut(let epoch, let account, let reason, let deadline):
            self.event = "signing-out"
            self.epoch = epoch
            self.account = account
            self.reason = reason?.rawValue ?? UnknownWord.text
            self.deadline = deadline
        case .signedOut(let epoch, let account, let outcome):
            self.event = "signed-out"
            self.epoch = epoch
            self.account = account
            self.outcome = outcome
        case .automaticSignOutPending(let reason, let deadline):
            self.event = "automatic-sign-out-pending"
            self.reason = reason?.rawValue ?? UnknownWord.text
            self.deadline = deadline
        case .automaticSignOutCancelled: self.event = "automatic-sign-out-cancelled"
        }
    }
}
