import SessionMachine
import Vocabulary

/// What a step is compared with.
struct Before {
    let phase: Phase
    let epoch: Epoch
    let turn: Epoch?
    let roster: [AppKey: RosterEntry]
    let apps: [AppKey: AppRecord]

    init(_ world: World) {
        let machine = world.machine
        phase = machine.phase
        epoch = machine.epoch
        turn = machine.ledger.device.turn?.epoch
        roster = machine.ledger.roster
        apps = machine.ledger.apps
    }
}

extension World {
    mutating func count(_ record: Record, _ before: Before) {
        switch record {
        case .began(let epoch, _, _):
            if began & Self.bit(epoch) != 0 { fail("S9: epoch \(epoch) began twice") }
            if before.phase != .signingIn || journal.barrier != nil {
                fail("S7: a worker took the device in \(before.phase)")
            }
            began |= Self.bit(epoch)
        case .clearing(let epoch, _, _):
            if began & Self.bit(epoch) == 0 || cleared & Self.bit(epoch) != 0 {
                fail("S9: the barrier of epoch \(epoch) began twice")
            }
            cleared |= Self.bit(epoch)
        case .ended(let receipt):
            if cleared & Self.bit(receipt.epoch) == 0, core.fault == nil {
                fail("S9: the barrier of epoch \(receipt.epoch) ended without having begun")
            }
            if ended & Self.bit(receipt.epoch) != 0 { fail("S9: the barrier of epoch \(receipt.epoch) ended twice") }
            ended |= Self.bit(receipt.epoch)
        default: break
        }
    }

    mutating func checkRequest(_ request: Effect.Request) {
        switch request {
        case .clearSharedHolders(let plan):
            let ledger = machine.ledger
            if !machine.waiting.isEmpty, plan.waiting.isEmpty {
                fail("L1: the caller of the sign-out may be ended before it has its answer")
            }
            if ledger.barrier?.closed != true { fail("S6: the shared holders are cleared before the participants") }
            if ledger.roster.values.contains(where: \.isOpen) {
                fail("S6: the shared holders are cleared while a participant is not settled")
            }
        case .contain(let plan):
            for process in apps.first(where: { $0.key == plan.app })?.processes ?? [] {
                if let instance = process.instance, plan.instances.contains(instance), process.onBus,
                    process.accepted == plan.epoch
                {
                    fail("L2: an instance that answered in time is to be stopped")
                }
            }
        case .unlock(let epoch): checkUnlock(epoch)
        case .signOutBrowser, .closeSignIn, .lock, .prepare, .watch, .prepareTurn, .beginTurn, .withdraw: break
        }
    }

    mutating func check(_ before: Before, _ kind: Event.Kind) {
        if machine.epoch < before.epoch { fail("S4: the epoch went back") }
        if let turn = before.turn, machine.ledger.device.turn?.epoch == turn {
            for app in before.roster.keys where machine.ledger.roster[app] == nil {
                fail("S5: \(app.id) left the roster")
            }
        }
        if machine.phase == .clearing, before.phase != .clearing { base = now }
        // A seeded mistake may journal twice in one event, and the second time is lost when it is killed in between.
        if core.fault != .notJournalled, core.fault == nil || !killed, machine.ledger != journal {
            fail("the journal differs from the state")
        }
    }

    /// What must hold in every state, judged by what the apps really hold.
    mutating func checkState() {
        let isOpen = machine.phase == .ready || machine.phase == .signingIn || machine.phase == .inUse
        let old = Self.through(machine.ledger.lastEnded)
        checkLock()
        checkAway()
        if pageIsOpen, machine.phase == .ready {
            fail("S7: the device is free while the page of a sign-in is on the screen")
        }
        for app in apps {
            if isOpen, app.data & old != 0 {
                let owed = machine.ledger.apps[app.key]?.owed ?? 0
                if app.data & old & ~Self.through(owed) != 0 {
                    fail("S1: the gate is open while \(app.key.id) holds an ended turn's data and owes nothing")
                }
            }
            if let turn = machine.ledger.device.turn, app.data & Self.bit(turn.epoch) != 0,
                machine.ledger.roster[app.key] == nil
            {
                fail("S5: \(app.key.id) holds data of this turn and is not in the roster")
            }
            for process in app.processes where process.onBus && machine.mayHaveToken(process.name) {
                if machine.phase != .inUse || cleared & Self.bit(machine.epoch) != 0 {
                    fail("S3: a token of a turn whose sign-out has begun")
                }
                if process.memory & old != 0 || app.unpaidAtRest(machine) & old != 0 {
                    fail("S1: \(app.key.id) may have a token with an ended turn's data")
                }
            }
        }
        if cleared & Self.bit(machine.epoch) != 0, machine.phase == .inUse {
            fail("S3: a turn whose sign-out has begun goes on")
        }
    }

    /// L1: nobody answers any more, only time passes.
    mutating func checkEnd() {
        guard let barrier = machine.ledger.barrier, !barrier.ended, !barrier.waitsForAgent else { return }
        var machine = machine
        var time = now
        let limit = base.addingReportingOverflow(machine.policy.absolute).partialValue
        for _ in 0..<64 {
            guard let delay = machine.nextAlarm(at: Moment(monotonic: time, boottime: time, wall: Int64(time))) else {
                return fail("L1: the barrier waits for ever")
            }
            time += delay
            if time > limit { return fail("L1: the barrier is still open after the absolute limit") }
            _ = machine.handle(Event(.tick, at: Moment(monotonic: time, boottime: time, wall: Int64(time))))
            if machine.phase != .clearing {
                if !machine.waiting.isEmpty { fail("L1: a sign-out call was never answered") }
                return
            }
        }
        fail("L1: the alarm rings without anything happening")
    }
}
