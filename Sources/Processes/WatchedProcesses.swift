package import LinuxSystem
package import Vocabulary

/// The processes behind registrations, each pinned once however many registrations it has.
///
/// Registrations come from apps, so everything here is bounded: by live processes, and by a number of ended
/// ones, which are remembered since their orphans may have to be stopped.
package struct WatchedProcesses {
    private struct Entry {
        let process: ProcessHandle
        var instances: [Instance]
    }

    /// By the number under which the watch tells their ends.
    private var entries: [UInt64: Entry] = [:]
    private var numbers: [Instance: UInt64] = [:]
    private var ended: [UInt64] = []
    /// Registrations whose process ended so long ago that it is not pinned any more.
    private var past: Set<Instance> = []
    private var next: UInt64 = 1

    package init() {}

    package static let endedProcesses = 256
    package static let registrations = 65_536

    /// The process of a registration, dead or alive.
    package subscript(instance: Instance) -> ProcessHandle? {
        numbers[instance].flatMap { entries[$0]?.process }
    }

    /// The pids of those that live.
    package var living: Set<Int32> {
        Set(entries.values.filter { !$0.process.isGone }.map(\.process.pid))
    }

    /// The registrations whose processes live.
    package var livingInstances: [Instance] {
        entries.values.filter { !$0.process.isGone }.flatMap(\.instances).sorted()
    }

    /// Whether a registration's process was watched and is long gone.
    package func isPast(_ instance: Instance) -> Bool {
        past.contains(instance)
    }

    /// Too many registrations for another one.
    package var isFull: Bool {
        numbers.count >= Self.registrations
    }

    /// Files a registration under a process that is watched already, if it is.
    package mutating func join(_ instance: Instance, to process: ProcessHandle) -> Bool {
        guard
            let number = entries.first(where: { $0.value.process.isSame(as: process) })?.key
        else { return false }
        file(instance, under: number)
        return true
    }

    /// Files a registration under a new process; the answer is the number to watch it as.
    package mutating func add(_ instance: Instance, _ process: ProcessHandle) -> UInt64 {
        let number = next
        next += 1
        entries[number] = Entry(process: process, instances: [])
        file(instance, under: number)
        return number
    }

    /// Takes back what `add` did.
    package mutating func drop(_ number: UInt64) {
        for instance in entries.removeValue(forKey: number)?.instances ?? [] {
            numbers[instance] = nil
        }
    }

    /// Notes that a process ended; the answer is its registrations.
    package mutating func end(_ number: UInt64) -> [Instance] {
        guard let entry = entries[number] else { return [] }
        ended.append(number)
        if ended.count > Self.endedProcesses {
            let oldest = ended.removeFirst()
            if past.count >= Self.registrations { past.removeAll() }
            past.formUnion(entries[oldest]?.instances ?? [])
            drop(oldest)
        }
        return entry.instances
    }

    private mutating func file(_ instance: Instance, under number: UInt64) {
        numbers[instance] = number
        entries[number]?.instances.append(instance)
    }
}
