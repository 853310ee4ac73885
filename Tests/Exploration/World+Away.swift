import SessionMachine
import Vocabulary

/// Whether the worker of a turn is still there, and what they were told.
struct Away: Hashable, Sendable {
    static let idle: UInt64 = 300_000_000
    static let countdown: UInt64 = 60_000_000
    static let longestTurn: UInt64 = 900_000_000

    /// The last input, as the agent told batond; nil: there is input, or nothing was said since the last countdown was called off.
    var idleSince: UInt64?
    /// From when on the worker was told that they will be signed out; nil: they were told nothing, or that they stay.
    var warnedSince: UInt64?
    var warnedOf: SignOutReason?
    /// When that countdown would have begun, had all been in time: before this batond did, it may have, and the worker knows.
    var mayHaveBegun: UInt64?
    /// The machine waits for the device before it sleeps.
    var isPoweringDown = false

    /// One that takes the place of another begins anew.
    mutating func warn(of reason: SignOutReason, at now: UInt64) {
        if warnedOf != reason { (warnedSince, warnedOf) = (now, reason) }
        idleSince = nil
    }

    mutating func forget() { (idleSince, warnedSince, warnedOf, mayHaveBegun) = (nil, nil, nil, nil) }
}

extension World {
    var awayActions: [Action] {
        guard let away else { return [] }
        var list: [Action] = away.isPoweringDown ? [.staysUp] : [.powersDown]
        guard machine.phase == .inUse else { return list }
        list += [.stay, .shiftEnds]
        if agent { list += away.idleSince == nil ? [.idle, .lateIdle, .longIdle] : [.touch] }
        return list
    }

    mutating func happenToAway(_ action: Action) {
        switch action {
        case .idle: sayIdle(since: now)
        case .lateIdle: sayIdle(since: now.subtracting(Away.idle - Away.countdown / 2))
        case .longIdle: sayIdle(since: now.subtracting(2 * Away.idle))
        case .touch:
            away?.idleSince = nil
            feed(.agentReported(agentNumber, .idle(machine.epoch, since: nil)))
            if machine.pending?.reason == .idle { fail("S13: a touch does not end the countdown of an idle device") }
        case .stay:
            feed(.keepSignedIn(0))
            away?.forget()
        case .shiftEnds: feed(.automaticSignOutDue(.expired))
        case .powersDown:
            away?.isPoweringDown = true
            feed(.powersDown(.sleep))
        case .staysUp:
            away?.isPoweringDown = false
            feed(.staysUp)
        default: break
        }
    }

    private mutating func sayIdle(since: UInt64) {
        away?.idleSince = since
        feed(.agentReported(agentNumber, .idle(machine.epoch, since: since)))
    }

    /// An agent that has outlived batond says again what it saw.
    mutating func sayIdleAgain() {
        if let since = away?.idleSince, machine.phase == .inUse { sayIdle(since: since) }
    }

    mutating func noteCountdown(_ announcement: Effect.Announcement) {
        guard away != nil else { return }
        switch announcement {
        case .automaticSignOutPending(let reason, let deadline):
            away?.warn(of: reason, at: now)
            away?.mayHaveBegun = deadline.subtracting(Away.countdown)
        case .automaticSignOutCancelled:
            away?.forget()
        case .signingOut(let epoch, _, let reason, deadline: _):
            guard epoch == machine.epoch, reason == .idle || reason == .expired, machine.ledger.barrier?.restarts == 0
            else { break }
            let span = machine.started > (away?.mayHaveBegun ?? .max) ? 0 : Away.countdown
            if away?.warnedOf != reason || away?.warnedSince.map({ now < $0 + span }) ?? true {
                fail("S13: a worker is signed out without the whole countdown")
            }
        default: break
        }
    }

    mutating func checkPowerDown() {
        if machine.phase == .inUse || machine.phase == .clearing {
            fail("S14: the machine may sleep while a worker's turn goes on or is cleared")
        }
    }

    mutating func checkAway() {
        guard let truth = away else { return }
        if machine.phase == .ready || machine.phase == .quarantined {
            if machine.powerDown != nil { fail("L6: the machine may not sleep, and nothing is waited for") }
        }
        guard machine.phase == .inUse else {
            away?.forget()
            return
        }
        if let pending = machine.pending, now > pending.deadline {
            fail("L6: a countdown is over, and its worker stays")
        }
        guard let since = truth.idleSince, machine.pending == nil, agent else { return }
        let due = since + Away.idle - Away.countdown
        if machine.nextAlarm(at: moment).map({ $0 > due.subtracting(now) }) ?? true {
            fail("L6: a device that is idle keeps its worker")
        }
    }

    func addAway(_ print: inout Fingerprint) {
        guard let away else { return }
        print.add(away.idleSince.map { now - $0 + 1 } ?? 0)
        print.add(away.warnedSince.map { min(now - $0, Away.countdown) + 1 } ?? 0)
        print.add(away.warnedOf?.rawValue ?? "")
        print.add(away.mayHaveBegun.map { machine.started > $0 } ?? false)
        print.add(left(machine.started + Away.idle))
        print.add(away.isPoweringDown)
        print.add(machine.powerDown != nil)
        print.add(machine.pending.map { left($0.deadline) + 1 } ?? 0)
        print.add(machine.pending?.reason.rawValue ?? "")
        print.add(machine.idleSince.map { now - $0 + 1 } ?? 0)
        print.add(machine.turnCountdown(moment).map { $0 + 1 } ?? 0)
    }
}
