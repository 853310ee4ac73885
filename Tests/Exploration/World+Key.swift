import SessionMachine
import Vocabulary

extension World {
    /// What tells this state from another: times count from now, instances by their order, equal apps in any order.
    var key: Fingerprint {
        var key = print
        key.add(faults)
        return key
    }

    /// All of that but how many faults the path may still have.
    func fingerprint() -> Fingerprint {
        var print = Fingerprint()
        print.add(restarts)
        print.add(crashes)
        print.add(agent)
        addMachine(&print)
        // The first app is the listed one; the others can change places.
        // A method that is passed on would take a copy of the whole world with it.
        var prints = apps.map { fingerprint(of: $0) }
        if prints.count > 2 { prints[1...].sort() }
        for app in prints { print.add(app) }
        if core.fault == .notJournalled { addBarrier(journal, &print) }
        print.add(UInt64(cleared))
        print.add(pageIsOpen)
        addSlices(&print)
        addLock(&print)
        addAway(&print)
        for asked in pagesAsked {
            print.add(asked.epoch)
            print.add(agent && asked.agent == agentNumber)
        }
        for request in requests(jobs) { print.add(request) }
        if !stale.isEmpty {
            print.add(98 as UInt64)
            for request in requests(stale) { print.add(request) }
        }
        return print
    }

    /// An app with what the agent is asked to do to it.
    private func fingerprint(of app: App) -> Fingerprint {
        var print = Fingerprint()
        let order = instances(of: app, in: machine.ledger)
        addRows(machine.ledger, order, app, &print)
        if core.fault == .notJournalled { addRows(journal, instances(of: app, in: journal), app, &print) }
        addTruth(app, order, &print)
        addContainments(jobs, app, order, &print)
        if !stale.isEmpty {
            print.add(98 as UInt64)
            addContainments(stale, app, order, &print)
        }
        return print
    }

    private func addContainments(_ jobs: [Job], _ app: App, _ order: [Instance], _ print: inout Fingerprint) {
        var containments: [UInt64] = []
        for job in jobs {
            guard case .contain(let plan) = job.request, plan.app == app.key else { continue }
            var part = Fingerprint()
            part.add(job.done)
            for instance in plan.instances.sorted() { part.add(rank(instance, order)) }
            containments.append(part.low)
        }
        for containment in containments.sorted() { print.add(containment) }
    }

    /// What the agent is asked for that is about no app.
    private func requests(_ jobs: [Job]) -> [UInt64] {
        var requests: [UInt64] = []
        for job in jobs {
            let number: UInt64
            switch job.request {
            case .signOutBrowser(let plan): number = 100 + plan.epoch.rawValue
            case .clearSharedHolders(let plan): number = 200 + plan.epoch.rawValue
            case .closeSignIn: number = 300
            case .contain: continue
            case .lock: number = 400
            case .unlock: number = 500
            case .prepare, .watch, .prepareTurn, .beginTurn, .withdraw: number = 0
            }
            requests.append(number << 1 | (job.done ? 1 : 0))
        }
        return requests.sorted()
    }

    func left(_ deadline: UInt64) -> UInt64 { deadline > now ? deadline - now : 0 }

    private func addMachine(_ print: inout Fingerprint) {
        print.add(machine.epoch)
        print.add(machine.ledger.device.turn?.epoch)
        print.add(machine.ledger.device.previous?.epoch)
        let signIn = machine.signIn
        print.add(signIn.map { left($0.deadline) })
        print.add(signIn.map { ($0.call == nil ? 1 : 0) + ($0.usesBrowser ? 2 : 0) } ?? 9 as UInt64)
        print.add(machine.isAgentPresent)
        print.add(machine.agentAwaySince.map { left($0 + machine.policy.agentGrace) })
        print.add(machine.sealed?.explanation ?? "")
        print.add(machine.asked.count)
        print.add(machine.sharedAskedAgain)
        addBarrier(machine.ledger, &print)
    }

    private func addBarrier(_ ledger: Ledger, _ print: inout Fingerprint) {
        guard let barrier = ledger.barrier else { return print.add(0 as UInt64) }
        print.add(barrier.epoch)
        print.add((barrier.waitsForAgent ? 1 : 0) + (barrier.closed ? 2 : 0) + (barrier.ended ? 4 : 0) as UInt64)
        print.add(barrier.doomed != nil)
        print.add(barrier.browser?.rawValue ?? "-")
        print.add(barrier.shared.map { $0.contains { $0.outcome == .failed } ? 1 : 2 } ?? 0 as UInt64)
        print.add(barrier.ended ? 0 : UInt64(barrier.restarts))
        print.add(barrier.provider != nil)
        if barrier.ended {
            print.add(barrier.retries.last == 0 ? 0 : left(barrier.retries.last + machine.policy.retryPause) + 1)
            print.add(barrier.retries.ends == 0 ? 0 : left(barrier.retries.ends) + 1)
        } else {
            if barrier.provider == nil { print.add(barrier.providerEnds.map(left)) }
            print.add(left(barrier.soft))
            print.add(left(barrier.hard))
            print.add(left(barrier.absolute))
            print.add(left(base + machine.policy.absolute))
        }
    }

    private func addRows(_ ledger: Ledger, _ order: [Instance], _ app: App, _ print: inout Fingerprint) {
        let record = ledger.apps[app.key]
        print.add(record?.clearedThrough)
        print.add(record?.owed)
        print.add(record?.owedSince)
        // Only whether one that is there registered from then on counts.
        let paidFrom = record?.paidFrom.map { from in order.count { $0 < from } }
        print.add(paidFrom.map { UInt64($0) })
        print.add(machine.endedUnasked.contains(app.key))
        print.add(machine.endedInstances[app.key]?.count ?? 0)
        if let entry = ledger.roster[app.key] {
            print.add(entry.state.rawValue)
            print.add(entry.hard == 0 ? 0 : left(entry.hard) + 1)
            print.add(UInt64(entry.extensions))
            print.add(entry.containmentEnds == 0 ? 0 : left(entry.containmentEnds) + 1)
        } else {
            print.add(77 as UInt64)
        }
        for instance in order {
            guard let value = ledger.registrations[instance] else { continue }
            print.add(core.early.count { $0.instance == instance })
            print.add(app.processes.firstIndex { $0.pid == value.pid } ?? 9)
            // A live connection's registration speaks for that connection.
            print.add(app.processes.contains { $0.onBus && $0.name == value.sender })
            print.add(value.mustClear)
            print.add(value.told)
            print.add(value.word?.epoch)
            print.add(value.word?.outcome.rawValue ?? "")
            print.add((value.connected ? 1 : 0) + (value.processGone ? 2 : 0) as UInt64)
        }
    }

    private func instances(of app: App, in ledger: Ledger) -> [Instance] {
        var instances: [Instance] = []
        for (instance, registration) in ledger.registrations where registration.app == app.key {
            instances.append(instance)
        }
        return instances.sorted()
    }

    private func rank(_ instance: Instance, _ order: [Instance]) -> Int { order.firstIndex(of: instance) ?? 9 }

    private func addTruth(_ app: App, _ order: [Instance], _ print: inout Fingerprint) {
        print.add(UInt64(app.atRest))
        print.add(app.clearedThrough)
        print.add(app.processes.count)
        print.add(app.hasStarted)
        for process in app.processes {
            print.add(
                (process.onBus ? 1 : 0) + (process.alive ? 2 : 0) + (process.exitReported ? 4 : 0) as UInt64)
            print.add(process.instance.map { rank($0, order) } ?? 8)
            print.add(UInt64(process.memory))
            print.add(process.told)
            print.add(process.accepted == machine.epoch)
            for mail in process.mail {
                print.add(rank(mail.instance, order))
                print.add(mail.epoch)
                print.add(mail.outcome.rawValue)
            }
            print.add(99 as UInt64)
        }
    }
}
