import SessionMachine
import Vocabulary

/// The slices of the turn users, and what the supervisor is asked to do to them.
struct Slices: Hashable, Sendable {
    struct Ending: Hashable, Sendable {
        var epoch: Epoch
        var user: TurnUser
    }

    static let users = (0..<2).map { TurnUser(number: UInt8($0), uid: 61000 + UInt32($0)) }

    /// Whether the choice of a user beside a turn takes its time; no other part of the device waits for it.
    var lateChoices = false
    /// The users as whom something runs.
    var running: Set<TurnUser> = []
    /// As whom a sign-in has had its page open since that user was looked at, and in which attempt.
    var pages: [TurnUser: Attempt] = [:]
    /// The attempt that succeeds with the event that is handled now.
    var succeeding: Attempt?
    /// A user is looked for.
    var isChoosing = false
    /// Slices that are to be ended.
    var endings: [Ending] = []
}

extension World {
    mutating func performOnSlices(_ effect: Effect) {
        switch effect {
        case .announce(.signedIn):
            // The worker's browser runs from then on.
            if let user = machine.turnUser { slices?.running.insert(user) }
        case .chooseTurnUser: slices?.isChoosing = true
        case .endTurn(let epoch, let user, limit: _):
            // One that is asked for once more, while the first has not ended, ends with it.
            let ending = Slices.Ending(epoch: epoch, user: user)
            if slices?.endings.contains(ending) == false { slices?.endings.append(ending) }
        case .endTurns(let kept):
            for user in Slices.users where !kept.contains(user) { kill(user) }
        default: break
        }
    }

    /// The kernel ends all that runs as that user; what that wrote was in memory.
    private mutating func kill(_ user: TurnUser) {
        slices?.running.remove(user)
        for app in apps.indices where apps[app].key.uid == user.uid {
            for index in apps[app].processes.indices { apps[app].end(index) }
            apps[app].atRest = 0
        }
    }

    /// A choice that nothing waits for comes at once.
    var promptChoice: [Action]? {
        guard let slices, slices.isChoosing, !slices.lateChoices, machine.ledger.device.turn != nil,
            machine.ledger.barrier == nil
        else { return nil }
        return faults > 0 ? [.turnUserFound, .noTurnUserFound] : [.turnUserFound]
    }

    var sliceActions: [Action] {
        guard let slices else { return [] }
        var list: [Action] = []
        if slices.isChoosing { list += faults > 0 ? [.turnUserFound, .noTurnUserFound] : [.turnUserFound] }
        if !slices.endings.isEmpty { list += faults > 0 ? [.sliceEnds, .sliceStays] : [.sliceEnds] }
        return list
    }

    mutating func happenToSlices(_ action: Action) {
        switch action {
        case .turnUserFound, .noTurnUserFound:
            slices?.isChoosing = false
            let busy = slices?.running ?? []
            let clean = Slices.users.first { !busy.contains($0) }
            // All that runs as that user is ended with the look.
            if action == .turnUserFound, let clean { slices?.pages[clean] = nil }
            feed(.turnUserChosen(action == .turnUserFound ? clean : nil))
            // A page that was asked for before opens as that user.
            if pageIsOpen { notePage() }
        case .sliceEnds, .sliceStays:
            guard let ending = slices?.endings.first else { return }
            slices?.endings.removeFirst()
            if action == .sliceEnds { kill(ending.user) }
            feed(.turnEnded(ending.epoch, action == .sliceEnds ? .empty : .populated))
        default: break
        }
    }

    /// The page of the sign-in that runs is open as the next turn's user, if one has been chosen.
    mutating func notePage() {
        let attempt = machine.signIn?.attempt
        if let user = machine.ledger.device.nextUser { slices?.pages[user] = attempt }
    }

    /// What was asked of a supervisor that is no more, it does not answer.
    mutating func forgetSlices(isReboot: Bool) {
        slices?.isChoosing = false
        slices?.endings = []
        if isReboot {
            slices?.running = []
            slices?.pages = [:]
        }
    }

    mutating func checkSlices(_ record: Record) {
        guard let slices else { return }
        switch record {
        case .device(let device):
            if let turn = device.turn, turn.user == nil { fail("S10: a turn has no user") }
            if let user = device.turn?.user, let page = slices.pages[user], page != slices.succeeding {
                fail("S12: a turn begins as a user as whom another sign-in had its page")
            }
            if let next = device.nextUser, slices.running.contains(next) {
                fail("S10: something runs as the next turn's user")
            }
        case .ended(let receipt):
            // The barrier's own record is written after this one.
            if receipt.outcome != .quarantined, let user = journal.barrier?.user, slices.running.contains(user) {
                fail("S10: a turn ended, and something of it runs")
            }
        case .released(_, let release):
            if release.by == .retry, !slices.running.isEmpty {
                fail("S10: the gate opened, and something of the turn runs")
            }
        default: break
        }
    }

    func addSlices(_ print: inout Fingerprint) {
        guard let slices else { return }
        let machine = machine
        for user in Slices.users {
            print.add(slices.running.contains(user))
            print.add(slices.pages[user].map { $0 == machine.signIn?.attempt ? 1 : 2 } ?? 0 as UInt64)
        }
        print.add(slices.isChoosing)
        for ending in slices.endings {
            print.add(ending.epoch)
            print.add(UInt64(ending.user.number))
        }
        print.add(machine.choosesTurnUser)
        print.add(machine.endsTurn)
        print.add(machine.ledger.device.nextUser.map { UInt64($0.number) })
        print.add(machine.turnUser.map { UInt64($0.number) })
        print.add(machine.ledger.device.lastUser.map { UInt64($0.number) })
        print.add(machine.signIn?.proven != nil)
        guard let barrier = machine.ledger.barrier else { return }
        print.add(barrier.turn?.outcome.rawValue ?? "-")
        if !barrier.ended { print.add(left(machine.turnDeadline(barrier))) }
    }
}
