import SessionMachine
import Vocabulary

extension World {
    /// What tells this state from another: times count from now, instances by their order, equal apps in any order.
    func key() -> Fingerprint {
        guard apps.count > 2 else { return key(Array(apps.indices)) }
        // app0 is the listed one; the others can change places.
        var best: Fingerprint?
        permute(Array(apps.indices.dropFirst())) { order in
            let candidate = key([0] + order)
            best = min(best ?? candidate, candidate)
        }
        return best ?? key(Array(apps.indices))
    }

    private func permute(_ rest: [Int], _ chosen: [Int] = [], _ body: ([Int]) -> Void) {
        if rest.isEmpty { return body(chosen) }
        for (position, value) in rest.enumerated() {
            var others = rest
            others.remove(at: position)
            permute(others, chosen + [value], body)
        }
    }

    private func key(_ order: [Int]) -> Fingerprint {
        var print = Fingerprint()
        print.add(faults)
        print.add(restarts)
        print.add(crashes)
        print.add(agent)
        addMachine(&print)
        for index in order {
            addRows(machine.ledger, apps[index], &print)
            if core.fault == .notJournalled { addRows(journal, apps[index], &print) }
            addTruth(apps[index], &print)
        }
        if core.fault == .notJournalled { addBarrier(journal, &print) }
        print.add(UInt64(cleared))
        print.add(pageIsOpen)
        for asked in pagesAsked {
            print.add(asked.epoch)
            print.add(agent && asked.agent == agentNumber)
        }
        for request in requests(jobs, order) { print.add(request) }
        if !stale.isEmpty {
            print.add(98 as UInt64)
            for request in requests(stale, order) { print.add(request) }
        }
        return print
    }

    private func requests(_ jobs: [Job], _ order: [Int]) -> [UInt64] {
        let requests: [UInt64] = jobs.map { job in
            var part = Fingerprint()
            part.add(job.done)
            addRequest(job.request, order, &part)
            return part.low
        }
        return requests.sorted()
    }

    private func left(_ deadline: UInt64) -> UInt64 { deadline > now ? deadline - now : 0 }

    private func addMachine(_ print: inout Fingerprint) {
        let machine = machine
        print.add(machine.epoch)
        print.add(machine.ledger.device.turn?.epoch)
        print.add(machine.ledger.device.previous?.epoch)
        print.add(machine.signIn.map { left($0.deadline) })
        print.add(machine.signIn.map { ($0.call == nil ? 1 : 0) + ($0.usesBrowser ? 2 : 0) } ?? 9 as UInt64)
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

    private func addRows(_ ledger: Ledger, _ app: App, _ print: inout Fingerprint) {
        let record = ledger.apps[app.key]
        print.add(record?.clearedThrough)
        print.add(record?.owed)
        print.add(record?.owedSince)
        // Only whether one that is there registered from then on counts.
        let paidFrom = record?.paidFrom.map { from in registrations(of: app, in: ledger).count { $0.key < from } }
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
        for registration in registrations(of: app, in: ledger) {
            print.add(core.early.count { $0.instance == registration.key })
            let value = registration.value
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

    private func registrations(of app: App, in ledger: Ledger) -> [(key: Instance, value: Registration)] {
        ledger.registrations.filter { $0.value.app == app.key }.sorted { $0.key < $1.key }
    }

    private func rank(_ instance: Instance, _ app: App) -> Int {
        registrations(of: app, in: machine.ledger).firstIndex { $0.key == instance } ?? 9
    }

    private func addTruth(_ app: App, _ print: inout Fingerprint) {
        print.add(UInt64(app.atRest))
        print.add(app.clearedThrough)
        print.add(app.processes.count)
        print.add(app.hasStarted)
        for process in app.processes {
            print.add(
                (process.onBus ? 1 : 0) + (process.alive ? 2 : 0) + (process.exitReported ? 4 : 0) as UInt64)
            print.add(process.instance.map { rank($0, app) } ?? 8)
            print.add(UInt64(process.memory))
            print.add(process.told)
            print.add(process.accepted == machine.epoch)
            for mail in process.mail {
                print.add(rank(mail.instance, app))
                print.add(mail.epoch)
                print.add(mail.outcome.rawValue)
            }
            print.add(99 as UInt64)
        }
    }

    private func addRequest(_ request: Effect.Request, _ order: [Int], _ print: inout Fingerprint) {
        switch request {
        case .contain(let plan):
            let place = order.firstIndex { apps[$0].key == plan.app } ?? 0
            print.add(place)
            for instance in plan.instances.sorted() { print.add(rank(instance, apps[order[place]])) }
        case .signOutBrowser(let plan): print.add(100 + plan.epoch.rawValue)
        case .clearSharedHolders(let plan): print.add(200 + plan.epoch.rawValue)
        case .closeSignIn: print.add(300 as UInt64)
        case .prepare, .watch, .beginTurn, .withdraw: break
        }
    }
}
