import SessionMachine
import Vocabulary

/// The machine, or the machine with one mistake wrapped around it: production code has no such seam.
struct SeededMachine {
    var machine: Machine
    let fault: Fault?
    /// Words that came before the barrier and are kept for it, with `earlyWord`.
    var early: [Acknowledging] = []

    init(_ machine: Machine, fault: Fault?) {
        self.machine = machine
        self.fault = fault
    }

    mutating func handle(_ event: Event) -> [Effect] {
        switch (fault, event.kind) {
        case (.notJournalled, _): return machine.handle(event).map(forgetful)
        case (.pastPays, _): return payEarly(machine.handle(event))
        case (.noEpoch, .acknowledge(let call, var word)):
            if let registration = machine.ledger.registrations[word.instance] {
                let owed = machine.owes(registration)
                if owed != 0 { word.epoch = owed }
            }
            return machine.handle(Event(.acknowledge(call, word), at: event.at))
        case (.lastAgent, .agentReported(_, let report)):
            return machine.handle(Event(.agentReported(machine.agent ?? 0, report), at: event.at))
        case (.latePIN, .signInSucceeded):
            let effects = machine.handle(event)
            guard machine.phase == .clearing, let agent = machine.agent else { return effects }
            return effects + [.agent(.unlock(machine.epoch), of: agent)]
        case (.anyPhone, .signInSucceeded(let attempt, _)):
            guard let again = machine.signInAgain, again.attempt == attempt, again.unlocks != nil,
                let holder = machine.ledger.device.turn?.holder
            else { return machine.handle(event) }
            return machine.handle(Event(.signInSucceeded(attempt, holder), at: event.at))
        case (.freshTries, .started):
            var device = machine.ledger.device
            device.turn?.lock?.tries = 0
            machine.ledger.apply(.device(device))
            return [.journal([.device(device)])] + machine.handle(event)
        case (.noCountdown, .agentReported(_, .idle(_, since: .some))):
            return machine.handle(Event(.signOut(0, epoch: nil, .idle), at: event.at))
        case (.deafIdle, .agentReported(_, .idle(_, since: .some))): return []
        case (.deafStay, .keepSignedIn(let call)): return [.reply(call, .done)]
        case (.earlySleep, .powersDown): return machine.handle(event) + [.allowPowerDown]
        case (.sameUser, .signInUsesBrowser):
            let before = machine.ledger.device
            let effects = machine.handle(event)
            machine.ledger.apply(.device(before))
            return effects.filter { if case .journal = $0 { false } else { true } }
        case (.fullSlice, .turnEnded(let epoch, .populated)):
            return machine.handle(Event(.turnEnded(epoch, .empty), at: event.at))
        case (.lateTurn, .providerPages(let pages, let epoch, for: let agent)):
            let effects = machine.handle(event)
            guard effects.isEmpty else { return effects }
            let begin = TurnBegin(wall: 0, boottime: nil)
            let plan = TurnPlan(epoch: epoch, holder: .unknown, began: begin, pages: pages)
            return [.agent(.beginTurn(plan), of: agent)]
        case (.forger, .acknowledge(let call, var word)):
            if let registration = machine.ledger.registrations[word.instance] { word.sender = registration.sender }
            return machine.handle(Event(.acknowledge(call, word), at: event.at))
        case (.disconnectCounts, .disconnected(let sender)):
            return acknowledgeAll(of: sender, event.at) + machine.handle(event)
        case (.lateJoinersIgnored, .register(_, let request)): return ignore(request.app, event)
        case (.earlyWord, .acknowledge(let call, let word))
        where machine.phase == .inUse && word.epoch == machine.epoch
            && machine.ledger.registrations[word.instance]?.sender == word.sender:
            early.append(word)
            return [.reply(call, .done)]
        case (.noWipe, _), (.earlyWord, _): return goOn(machine.handle(event), event.at)
        default: return machine.handle(event)
        }
    }

    private func forgetful(_ effect: Effect) -> Effect {
        guard case .journal(let records) = effect else { return effect }
        return .journal(
            records.filter { record in
                switch record {
                case .barrier(.some), .clearing: false
                default: true
                }
            })
    }

    /// Forgets from which instance on an app is paid for, in the state and in the journal alike.
    private mutating func payEarly(_ effects: [Effect]) -> [Effect] {
        for (app, var record) in machine.ledger.apps where record.paidFrom != nil {
            record.paidFrom = nil
            machine.ledger.apply(.app(app, record))
        }
        return effects.map { effect in
            guard case .journal(let records) = effect else { return effect }
            return .journal(
                records.map { record in
                    guard case .app(let app, var row?) = record else { return record }
                    row.paidFrom = nil
                    return .app(app, row)
                })
        }
    }

    private mutating func acknowledgeAll(of sender: Sender, _ now: Moment) -> [Effect] {
        var effects: [Effect] = []
        for (instance, registration) in machine.ledger.registrations where registration.sender == sender {
            let owed = machine.owes(registration)
            guard owed != 0 else { continue }
            let word = Acknowledging(sender: sender, epoch: owed, instance: instance, outcome: .cleared)
            effects += machine.handle(Event(.acknowledge(0, word), at: now))
        }
        return effects
    }

    private mutating func ignore(_ app: AppKey, _ event: Event) -> [Effect] {
        guard machine.ledger.device.turn != nil, machine.ledger.roster[app] == nil else { return machine.handle(event) }
        let effects = machine.handle(event)
        machine.ledger.apply(.entry(app, nil))
        return effects.map { effect in
            guard case .journal(let records) = effect else { return effect }
            return .journal(
                records.filter { record in
                    if case .entry(app, _) = record { false } else { true }
                })
        }
    }

    private mutating func goOn(_ effects: [Effect], _ now: Moment) -> [Effect] {
        var result: [Effect] = []
        for effect in effects {
            if fault == .noWipe, case .agent(.contain(let plan), of: let agent) = effect {
                let report = Containment(epoch: plan.epoch, outcome: .contained, instances: plan.instances)
                let event = Event(.agentReported(agent, .contained(plan.app, report)), at: now)
                result += goOn(machine.handle(event), now)
                continue
            }
            result.append(effect)
            if fault == .earlyWord, case .announce(.signingOut) = effect {
                let words = early
                early = []
                for word in words { result += machine.handle(Event(.acknowledge(0, word), at: now)) }
            }
        }
        return result
    }
}
