import Baton
import BusTesting
import DBus
import TerminalTesting
import Testing

extension FireTerminal {
    /// A whole turn in which all honest apps cleared. Gives the receipt and how long the slowest of them took.
    func honestTurn(
        mayQuarantine: Bool = false, inTurn: () async throws -> Void = {}
    ) async throws -> (receipt: Receipt, milliseconds: UInt32) {
        let epoch = try await signInPatiently(mayQuarantine)
        try await inTurn()
        let receipt = try await desk.receipt(epoch, or: desk.signOut())
        witness.ended(epoch, receipt.outcome.rawValue)
        if mayQuarantine, receipt.outcome == .quarantined {
            _ = try await desk.call(Administration.endQuarantine, [:])
        } else {
            #expect(receipt.outcome != .quarantined, "\(receipt)\n\(daemon?.output.suffix(4000) ?? "")")
        }
        let rows = apps.compactMap { app in receipt.participant(app.id) }
        #expect(rows.count == apps.count)
        #expect(rows.allSatisfy { [.cleared, .nothingToClear].contains($0.outcome) }, "\(receipt)")
        #expect(apps.allSatisfy { $0.held != epoch })
        return (receipt, rows.map(\.milliseconds).max() ?? 0)
    }

    /// Attempts of other callers may be in the way; each of them ends. If a caller with an administrator's rights leaves
    /// before its rights are looked at, what it asked for may have been done.
    private func signInPatiently(_ mayQuarantine: Bool) async throws -> Epoch {
        while true {
            var epoch: Epoch?
            let refusal = try await desk.refusal { epoch = try await desk.signIn("ana", pin: "1234") }
            if let epoch { return epoch }
            switch refusal {
            case "SigningIn": try await Task.sleep(for: .milliseconds(20))
            case "UserCanceled" where mayQuarantine, "SigningOut" where mayQuarantine:
                try await Task.sleep(for: .milliseconds(20))
            case "NotShared" where mayQuarantine: _ = try await desk.call(Administration.setDeviceMode, "shared")
            case "Quarantined" where mayQuarantine: _ = try await desk.call(Administration.endQuarantine, [:])
            default: throw TestingError("no worker can sign in: \(refusal ?? "")")
            }
        }
    }
}

extension Receipt {
    func participant(_ app: String) -> Participant? { participants.first { $0.app == app } }
}
