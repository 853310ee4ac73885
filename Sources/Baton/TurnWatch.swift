import BatonContract

/// Derives events from epochs: each sign-in and each sign-out is told once, in order, also when signals were missed,
/// repeated, or the same worker left and came back.
struct TurnWatch {
    /// Where the device stands, read after connecting.
    struct Snapshot: Hashable, Sendable {
        var mode: DeviceMode
        var phase: Phase
        var epoch: Epoch
        var current: Account?
    }

    private var isPresent: Bool?
    private var mode: DeviceMode?
    private var phase: Phase?
    private var open: (epoch: Epoch, account: Account?)?
    private var leaving: Epoch = 0
    /// Turns up to this one have ended or were never ours to tell.
    private var ended: Epoch = 0

    mutating func vanished() -> [DeviceEvent] {
        guard isPresent != false else { return [] }
        isPresent = false
        mode = nil
        phase = nil
        return [.vanished]
    }

    mutating func read(_ snapshot: Snapshot) -> [DeviceEvent] {
        var events: [DeviceEvent] = isPresent == true ? [] : [.appeared]
        isPresent = true
        events += changed(snapshot.mode)
        let holds = snapshot.phase == .inUse || snapshot.phase == .clearing
        if let open, open.epoch < snapshot.epoch || !holds { events += end(open.epoch, open.account, nil) }
        if snapshot.phase == .inUse, let account = snapshot.current {
            events += signedIn(snapshot.epoch, account)
        } else if snapshot.phase == .clearing, snapshot.epoch > ended, open == nil {
            // Its begin was missed, its end will be told.
            open = (snapshot.epoch, snapshot.current)
        } else if !holds {
            ended = max(ended, snapshot.epoch)
        }
        return events + changed(snapshot.phase)
    }

    mutating func changed(_ mode: DeviceMode) -> [DeviceEvent] {
        guard self.mode != mode else { return [] }
        self.mode = mode
        return [.modeChanged(mode)]
    }

    mutating func changed(_ phase: Phase) -> [DeviceEvent] {
        guard self.phase != phase else { return [] }
        self.phase = phase
        return [.phaseChanged(phase)]
    }

    mutating func signedIn(_ epoch: Epoch, _ account: Account) -> [DeviceEvent] {
        guard epoch > ended, epoch > (open?.epoch ?? 0) else { return [] }
        var events: [DeviceEvent] = []
        if let open { events += end(open.epoch, open.account, nil) }
        open = (epoch, account)
        return events + [.signedIn(epoch: epoch, account: account)]
    }

    mutating func signingOut(
        _ epoch: Epoch, _ account: Account?, _ reason: SignOutReason?, _ deadline: UInt64
    ) -> [DeviceEvent] {
        guard epoch > ended, epoch > leaving, epoch >= (open?.epoch ?? 0) else { return [] }
        var events: [DeviceEvent] = []
        if let open, open.epoch < epoch { events += end(open.epoch, open.account, nil) }
        open = (epoch, account ?? open?.account)
        leaving = epoch
        return events + [.signingOut(epoch: epoch, account: account, reason: reason, deadline: deadline)]
    }

    mutating func signedOut(_ epoch: Epoch, _ account: Account?, _ outcome: Outcome?) -> [DeviceEvent] {
        guard epoch > ended else { return [] }
        var events: [DeviceEvent] = []
        if let open, open.epoch < epoch { events += end(open.epoch, open.account, nil) }
        return events + end(epoch, account, outcome)
    }

    private mutating func end(_ epoch: Epoch, _ account: Account?, _ outcome: Outcome?) -> [DeviceEvent] {
        if let open, open.epoch <= epoch { self.open = nil }
        ended = max(ended, epoch)
        return [.signedOut(epoch: epoch, account: account, outcome: outcome)]
    }
}
