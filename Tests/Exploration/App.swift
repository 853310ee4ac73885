import SessionMachine
import Vocabulary

/// One process of an app, with what it really holds.
struct Process: Hashable, Sendable {
    struct Mail: Hashable, Sendable {
        var instance: Instance
        var epoch: Epoch
        var outcome: AcknowledgementOutcome
    }

    var pid: Int32
    /// The number of its connection.
    var sender: Int
    var onBus = true
    var alive = true
    var exitReported = false
    /// What it was answered when it registered; nil: not registered, or the answer was lost.
    var instance: Instance?
    /// The epochs whose data it holds in memory.
    var memory: UInt8 = 0
    /// The epoch that it knows it must clear.
    var told: Epoch = 0
    /// The last epoch for which its word was accepted.
    var accepted: Epoch = 0
    /// Acknowledgements on their way.
    var mail: [Mail] = []

    var name: Sender { ":1.\(sender)" }
}

struct App: Hashable, Sendable {
    var key: AppKey
    var listed: Bool
    /// The epochs whose data lies in its files.
    var atRest: UInt8 = 0
    /// What its client library remembers.
    var clearedThrough: Epoch = 0
    var processes: [Process] = []
    var hasStarted = false

    /// The epochs whose data is anywhere in it.
    var data: UInt8 { processes.reduce(atRest) { $1.alive ? $0 | $1.memory : $0 } }

    /// The epochs whose data lies in its files though the app does not owe them.
    ///
    /// Of a process that has cleared itself, a debt is the debt of another process of its app, which may write for as long
    /// as it lives: the debt says so, and each connection is asked for what it must clear itself.
    func unpaidAtRest(_ machine: Machine) -> UInt8 {
        atRest & ~World.through(machine.ledger.apps[key]?.owed ?? 0)
    }

    /// A process ends without a word, and has written all it held into the app's files until then.
    mutating func end(_ index: Int) {
        if processes[index].alive { atRest |= processes[index].memory }
        processes[index].alive = false
        processes[index].memory = 0
        processes[index].mail = []
    }
}
