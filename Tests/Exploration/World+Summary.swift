import SessionMachine
import Vocabulary

extension World {
    /// One line for people.
    var summary: String {
        let entries = machine.ledger.roster.sorted { $0.key < $1.key }.map { "\($0.key.id) \($0.value.state)" }
        let held = apps.map { app in
            let owed = machine.ledger.apps[app.key]?.owed ?? 0
            let processes = app.processes.map { process in
                let state = "\(process.alive ? "alive" : "dead")\(process.onBus ? "" : " off the bus")"
                return "\(state) told \(process.told) memory \(process.memory)"
            }
            return "\(app.key.id): data \(app.data) owes \(owed) [\(processes.joined(separator: "; "))]"
        }
        return "\(machine.phase.rawValue) \(machine.epoch) at \(now / 1000 % 1_000_000) ms, roster \(entries), \(held)"
    }
}
