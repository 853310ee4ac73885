import SessionMachine
import Vocabulary

extension World {
    /// Everything that can happen now.
    func actions(_ configuration: Configuration) -> [Action] {
        let all = allActions(configuration.reboots)
        if configuration.onlyAgentFaults { return all.filter { !$0.isFault || isOfAgent($0) } }
        return configuration.onlyPlainFaults ? all.filter { isPlain($0) } : all
    }

    private func allActions(_ reboots: Bool) -> [Action] {
        var list: [Action] = []
        let machine = machine
        if let eager = eagerActions() ?? promptChoice { return eager }
        if machine.nextAlarm(at: moment) != nil { list.append(.tick) }
        if crashes > 0 {
            list.append(.crash(.supervisor))
            if reboots { list += [.crash(.bus), .crash(.reboot)] }
        }
        switch machine.phase {
        case .ready:
            if machine.epoch < Epoch(rawValue: UInt64(epochs)), agent { list.append(.signIn) }
        case .signingIn:
            if machine.signIn?.call != nil {
                list += [.signInSucceeds, .signInFails, .cancelSignIn, .signOut]
                // Not after it has succeeded, when it waits for a turn user.
                let isOpen = machine.signIn?.usesBrowser == false && machine.signIn?.proven == nil
                if pages, isOpen, agent { list.append(.signInUsesBrowser) }
            }
        case .inUse:
            list += machine.signInAgain == nil ? [.signOut, .anotherSignsIn, .signOutOld] : [.signOut, .signOutOld]
        case .clearing, .quarantined: list.append(.signOut)
        }
        for app in apps.indices { appActions(app, machine, &list) }
        if let barrier = machine.ledger.barrier, !barrier.ended, barrier.provider == nil {
            list.append(.providerAnswers)
        }
        if !pagesAsked.isEmpty { list.append(.providerNamesPages) }
        if agent {
            if faults > 0 { list.append(.agentLost) }
            for index in jobs.indices {
                list.append(isTwoStep(jobs[index]) && !jobs[index].done ? .agentWorks(index) : .agentReports(index))
                if faults > 0, !jobs[index].done { list.append(.agentFails(index)) }
            }
        } else {
            list.append(.agentReturns)
        }
        for index in stale.indices { list.append(.staleAnswer(index)) }
        list += sliceActions
        list += lockActions
        list += awayActions
        return list
    }

    /// What comes before all else, in every order of its own: the bus and the agent tell within a moment that a process
    /// has ended, and the browser's answer a little earlier or later changes nothing for anybody else.
    private func eagerActions() -> [Action]? {
        var list: [Action] = []
        for app in apps.indices {
            for (index, process) in apps[app].processes.enumerated() where !process.alive {
                if process.onBus { list.append(.disconnect(app, index)) }
                if !process.exitReported, agent { list.append(.exitReported(app, index)) }
            }
        }
        for index in jobs.indices where agent {
            switch jobs[index].request {
            case .signOutBrowser, .closeSignIn:
                list.append(.agentReports(index))
                if faults > 0 { list.append(.agentFails(index)) }
            case .contain(let plan) where jobs[index].done:
                list.append(.agentReports(index))
                // Somebody may join between the wipe and the report.
                for app in apps.indices where apps[app].key == plan.app { appActions(app, machine, &list) }
            case .contain, .clearSharedHolders, .lock, .unlock, .prepare, .watch, .prepareTurn, .beginTurn, .withdraw:
                break
            }
        }
        guard !list.isEmpty else { return nil }
        for index in stale.indices { list.append(.staleAnswer(index)) }
        if agent, faults > 0 { list.append(.agentLost) }
        if crashes > 0 { list.append(.crash(.supervisor)) }
        return list
    }

    private func isTwoStep(_ job: Job) -> Bool {
        if case .contain = job.request { true } else { false }
    }

    private func appActions(_ app: Int, _ machine: Machine, _ list: inout [Action]) {
        let processes = apps[app].processes
        if processes.count < 2, !apps[app].hasStarted || restarts > 0,
            !processes.contains(where: { $0.alive && $0.onBus })
        {
            list.append(.start(app))
        }
        for index in processes.indices {
            let process = processes[index]
            guard process.alive else { continue }
            if faults > 0 { list.append(.exit(app, index)) }
            guard process.onBus else {
                list.append(.reconnect(app, index))
                continue
            }
            if faults > 0 { list.append(.disconnect(app, index)) }
            guard process.instance != nil else {
                list.append(.register(app, index))
                continue
            }
            if process.told != 0, process.mail.count < 2 {
                list.append(.clear(app, index))
                if faults > 0 { list.append(.fail(app, index)) }
            }
            for letter in process.mail.indices {
                list.append(.deliver(app, index, letter))
                if faults > 0 { list.append(.duplicate(app, index, letter)) }
            }
            guard faults > 0 else { continue }
            if machine.ledger.device.turn != nil || process.told != 0 {
                list += [.forge(app, index), .leave(app, index)]
                if machine.phase == .inUse { list.append(.guess(app, index)) }
                if machine.phase == .clearing { list.append(.extend(app, index)) }
            }
        }
    }

    private func isOfAgent(_ action: Action) -> Bool {
        switch action {
        case .agentLost, .agentFails: true
        // A dead process leaves the bus.
        case .disconnect: isFree(action)
        default: false
        }
    }

    /// Deaths and what can happen to messages; the other faults are those of the agent and of what apps may ask for.
    private func isPlain(_ action: Action) -> Bool {
        switch action {
        case .fail, .extend, .leave, .agentLost, .agentFails: false
        default: true
        }
    }

    /// The world after one thing happened; with `killAfter`, the supervisor dies after so many of its outward effects.
    func after(_ action: Action, killAfter: Int? = nil) -> World {
        var next = self
        next.outward = 0
        next.killAfter = killAfter
        if killAfter != nil { next.crashes -= 1 }
        if action.isFault, !isFree(action) { next.faults -= 1 }
        next.happen(action)
        if next.killAfter != nil || next.killed { next.restart(.supervisor) }
        next.tidy()
        next.read()
        next.print = next.fingerprint()
        // A fault that changed nothing was none, so the path may have another.
        if next.faults < faults, next.violation == nil, next.print == print { next.faults = faults }
        next.checkState()
        return next
    }

    /// A dead process leaves the bus of itself.
    private func isFree(_ action: Action) -> Bool {
        if case .disconnect(let app, let index) = action { !apps[app].processes[index].alive } else { false }
    }

    private mutating func happen(_ action: Action) {
        switch action {
        case .tick:
            now += machine.nextAlarm(at: moment) ?? 0
            feed(.tick)
        case .crash(let kind):
            crashes -= 1
            restart(kind)
        case .signIn: feed(.signIn(0, ":1.0"))
        case .signInUsesBrowser:
            if let attempt = machine.signIn?.attempt {
                feed(.signInUsesBrowser(attempt))
                pageIsOpen = true
                notePage()
            }
        case .signInSucceeds:
            if let attempt = machine.signIn?.attempt {
                // The page of the sign-in becomes the worker's.
                pageIsOpen = false
                slices?.succeeding = attempt
                feed(.signInSucceeded(attempt, TurnAccount(id: machine.epoch.rawValue % 2 == 0 ? "A" : "B")))
            }
        case .signInFails:
            if let attempt = machine.signIn?.attempt { feed(.signInFailed(attempt, .providerRejected("no"))) }
        case .cancelSignIn: feed(.cancelSignIn(0, ":1.0", privileged: false))
        case .anotherSignsIn:
            feed(.signIn(0, ":1.0"))
            if let attempt = machine.signInAgain?.attempt { feed(.signInSucceeded(attempt, TurnAccount(id: "C"))) }
        case .signOut:
            let isLocked = machine.phase == .inUse && machine.lock != nil
            feed(.signOut(0, epoch: nil, .user, from: ":1.0"))
            if isLocked, !killed, machine.phase == .inUse { fail("L5: a lock keeps its turn from ending") }
        case .signOutOld: feed(.signOut(0, epoch: machine.epoch.previous, .user))
        case .providerAnswers: feed(.signedOutAtProvider(machine.epoch, ProviderReport(.signedOut)))
        case .providerNamesPages:
            let asked = pagesAsked.removeFirst()
            feed(.providerPages(nil, asked.epoch, for: asked.agent))
        case .agentReturns:
            agent = true
            agentNumber = agentNumber.next
            // What an earlier one has left on the screen, and batond knows of no lock.
            if machine.lock == nil { lock?.isCovered = false }
            feed(.agentArrived(agentNumber))
            feed(.agentRegistered(agentNumber))
            sayIdleAgain()
        case .agentLost:
            loseAgent()
            // The next one sees no idleness of before.
            away?.idleSince = nil
            feed(.agentLost(agentNumber))
        case .agentWorks(let index): work(index)
        case .agentReports(let index): report(jobs.remove(at: index), failed: false)
        case .agentFails(let index): report(jobs.remove(at: index), failed: true)
        case .staleAnswer(let index):
            // It worked as long as it was there.
            report(stale.remove(at: index), failed: false)
        case .turnUserFound, .noTurnUserFound, .sliceEnds, .sliceStays: happenToSlices(action)
        case .lock, .unlock, .unlockByPhone, .rightPIN, .wrongPIN: happenToLock(action)
        case .idle, .lateIdle, .longIdle, .touch, .stay, .shiftEnds, .powersDown, .staysUp: happenToAway(action)
        default: happenToApp(action)
        }
    }

    /// The agent stops the named processes, then wipes what it knows of.
    private mutating func work(_ index: Int) {
        guard case .contain(let plan) = jobs[index].request, let app = apps.firstIndex(where: { $0.key == plan.app })
        else { return }
        let pids = plan.instances.compactMap { machine.ledger.registrations[$0]?.pid }
        for process in apps[app].processes.indices where pids.contains(apps[app].processes[process].pid) {
            apps[app].end(process)
            apps[app].processes[process].exitReported = true
        }
        if plan.isListed { apps[app].atRest = 0 }
        jobs[index].done = true
    }

    private mutating func report(_ job: Job, failed: Bool) {
        switch job.request {
        case .contain(let plan):
            let outcome: ContainmentOutcome = failed ? .failed : plan.isListed ? .contained : .stopped
            let report = Containment(epoch: plan.epoch, outcome: outcome, instances: plan.instances)
            say(.contained(plan.app, report), job)
        case .signOutBrowser(let plan): say(.browserSignedOut(plan.epoch, failed ? .failed : .clean, ""), job)
        case .clearSharedHolders(let plan):
            let row = Barrier.Check(name: "clipboard", outcome: failed ? .failed : .clean)
            say(.sharedHoldersCleared(plan.epoch, [row]), job)
        case .closeSignIn:
            if !failed, agent, job.agent == agentNumber { pageIsOpen = false }
            say(.signInBrowserClosed(clean: !failed), job)
        case .lock(let plan):
            coverForLock(plan, failed: failed)
            say(.locked(plan.epoch, isCovered: !failed, lasts: true), job)
        case .unlock(let epoch):
            showAfterLock(epoch)
            say(.unlocked(epoch), job)
        case .prepare, .watch, .prepareTurn, .beginTurn, .withdraw: break
        }
    }

    private mutating func say(_ report: AgentReport, _ job: Job) { feed(.agentReported(job.agent, report)) }
}
