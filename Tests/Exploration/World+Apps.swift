import SessionMachine
import Vocabulary

extension World {
    mutating func happenToApp(_ action: Action) {
        switch action {
        case .start(let app):
            apps[app].processes.append(Process(pid: nextPid, sender: nextSender))
            nextPid += 1
            if apps[app].hasStarted { restarts -= 1 }
            apps[app].hasStarted = true
            nextSender += 1
            register(app, apps[app].processes.count - 1)
        case .register(let app, let index): register(app, index)
        case .clear(let app, let index):
            let told = apps[app].processes[index].told
            apps[app].atRest &= ~Self.through(told)
            apps[app].processes[index].memory &= ~Self.through(told)
            apps[app].clearedThrough = max(apps[app].clearedThrough, told)
            send(app, index, .cleared)
        case .fail(let app, let index): send(app, index, .failed)
        case .guess(let app, let index):
            guard let instance = apps[app].processes[index].instance else { return }
            say(app, index, Process.Mail(instance: instance, epoch: machine.epoch, outcome: .cleared))
        case .deliver(let app, let index, let letter):
            let mail = apps[app].processes[index].mail.remove(at: letter)
            say(app, index, mail)
        case .duplicate(let app, let index, let letter): say(app, index, apps[app].processes[index].mail[letter])
        case .forge(let app, let index):
            guard let instance = apps[app].processes[index].instance else { return }
            let epoch = machine.ledger.barrier?.epoch ?? machine.epoch
            let word = Acknowledging(sender: ":1.999", epoch: epoch, instance: instance, outcome: .cleared)
            let old = machine.ledger.registrations[instance]
            feed(.acknowledge(0, word))
            if machine.ledger.registrations[instance] != old { fail("S2: another connection's word counted") }
        case .extend(let app, let index):
            let process = apps[app].processes[index]
            guard let instance = process.instance else { return }
            feed(.extend(0, process.name, machine.epoch, instance, microseconds: 60_000_000))
        case .leave(let app, let index): leave(app, index)
        case .disconnect(let app, let index):
            let name = apps[app].processes[index].name
            apps[app].processes[index].onBus = false
            apps[app].processes[index].mail = []
            apps[app].processes[index].instance = nil
            apps[app].processes[index].told = 0
            feed(.disconnected(name))
        case .reconnect(let app, let index):
            apps[app].processes[index].onBus = true
            apps[app].processes[index].sender = nextSender
            nextSender += 1
            register(app, index)
        case .exit(let app, let index):
            apps[app].end(index)
        case .exitReported(let app, let index):
            let pid = apps[app].processes[index].pid
            apps[app].processes[index].exitReported = true
            for instance in machine.ledger.registrations.filter({ $0.value.pid == pid }).keys.sorted() {
                feed(.agentReported(agentNumber, .exited(instance)))
            }
        default: break
        }
    }

    /// Whoever may have the account asks for it at once: an app that holds nothing yet could only do less wrong.
    mutating func read() {
        guard machine.phase == .inUse else { return }
        for app in apps.indices {
            for (index, process) in apps[app].processes.enumerated()
            where process.onBus && process.alive && process.instance != nil && process.told == 0
                && process.memory & Self.bit(machine.epoch) == 0 && machine.mustClear(process.name) == 0
            {
                let held = process.memory | apps[app].unpaidAtRest(machine)
                if Self.through(machine.ledger.lastEnded) & held != 0 {
                    fail("S1: an app with data of an ended turn was handed an account")
                }
                receive(app, index, machine.epoch)
            }
        }
    }

    private mutating func register(_ app: Int, _ index: Int) {
        let process = apps[app].processes[index]
        feed(
            .register(
                Call(rawValue: UInt64(process.sender)),
                Registering(
                    sender: process.name, app: apps[app].key, pid: process.pid,
                    clearedThrough: forgets ? 0 : apps[app].clearedThrough)))
    }

    private mutating func send(_ app: Int, _ index: Int, _ outcome: AcknowledgementOutcome) {
        let process = apps[app].processes[index]
        guard let instance = process.instance else { return }
        let mail = Process.Mail(instance: instance, epoch: process.told, outcome: outcome)
        if !process.mail.contains(mail) { apps[app].processes[index].mail.append(mail) }
        apps[app].processes[index].told = 0
    }

    /// An acknowledgement reaches the supervisor.
    private mutating func say(_ app: Int, _ index: Int, _ mail: Process.Mail) {
        let process = apps[app].processes[index]
        let barrier = machine.ledger.barrier
        let turn = machine.ledger.device.turn
        let old = machine.ledger.registrations[mail.instance]
        let word = Acknowledging(
            sender: process.name, epoch: mail.epoch, instance: mail.instance, outcome: mail.outcome)
        feed(.acknowledge(0, word))
        guard !killed, let new = machine.ledger.registrations[mail.instance] else { return }
        if new.word != old?.word {
            if new.word?.epoch != mail.epoch { fail("S2: a word for epoch \(mail.epoch) counted for another") }
            if let turn, turn.epoch == mail.epoch, barrier == nil {
                fail("S2: a word counted before the turn was over")
            }
        }
        guard mail.outcome != .failed, new.word?.epoch == mail.epoch, new.word?.outcome == mail.outcome else { return }
        apps[app].processes[index].accepted = mail.epoch
        if process.told <= mail.epoch { apps[app].processes[index].told = 0 }
    }

    private mutating func leave(_ app: Int, _ index: Int) {
        let process = apps[app].processes[index]
        guard let instance = process.instance else { return }
        apps[app].atRest = 0
        apps[app].processes[index].memory = 0
        apps[app].processes[index].mail = []
        apps[app].processes[index].told = 0
        apps[app].processes[index].instance = nil
        apps[app].processes[index].alive = false
        feed(.leave(0, process.name, instance))
    }
}
