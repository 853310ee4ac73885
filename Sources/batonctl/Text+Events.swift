import Baton

extension Text {
    /// One line for `watch`.
    static func event(_ event: DeviceEvent) -> String {
        switch event {
        case .appeared: "Baton is running."
        case .vanished: "Baton is gone; the state of the device is unknown."
        case .modeChanged(let mode): "Mode: \(self.mode(mode))."
        case .phaseChanged(let phase): "Phase: \(self.phase(phase))."
        case .signedIn(let epoch, let account): "\(person(account).printable) signed in (turn \(epoch))."
        case .signingOut(let epoch, let account, let reason, _):
            "\(account.map { person($0).printable } ?? "The worker") is leaving (turn \(epoch)): \(self.reason(reason))."
        case .signedOut(let epoch, let account, let outcome):
            "\(account.map { person($0).printable } ?? "The worker") is signed out (turn \(epoch))"
                + (outcome.map { ": \(self.outcome($0))." } ?? ".")
        case .automaticSignOutPending(let reason, _):
            "The worker will be signed out soon (\(self.reason(reason))). To cancel it, run `batonctl keep-signed-in`."
        case .automaticSignOutCancelled: "The worker stays signed in."
        }
    }
}
