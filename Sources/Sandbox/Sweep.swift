import Checkpoints
import Glibc
import LinuxSystem
import Vocabulary

/// Ends what a killed agent left.
///
/// Most of it ended with the agent: bubblewrap's sandboxes, proxies and reapers notice. This waits for those that are still at it,
/// and kills what nothing tied to the agent.
struct Sweep {
    let notes: SandboxNotes
    let groups: ControlGroups?

    /// What could not be proven gone, each in a line.
    func run(limit: TimeLimit) async -> [String] {
        let left = notes.left()
        var problems = await withTaskGroup(of: String?.self) { tasks in
            for (id, record) in left { tasks.addTask { await end(id, record, limit: limit) } }
            return await tasks.reduce(into: [String]()) { if let problem = $1 { $0.append(problem) } }
        }
        problems += await OwnThread.run(limit: limit) { leftovers(limit: limit) } ?? ["the sweep did not end in time"]
        problems +=
            await OwnThread.run(limit: limit) { StopNotes(folder: notes.folder).sweep(limit: limit) }
            ?? ["a process that was being stopped did not end in time"]
        return problems.sorted()
    }

    private func end(_ id: String, _ record: SandboxRecord, limit: TimeLimit) async -> String? {
        let note = SandboxNotes.Entry(path: "\(notes.folder)/\(id)", record: record)
        let name = record.name.isEmpty ? id : record.name
        guard record.boot == SandboxRecord.currentBoot else {
            note.remove()
            return nil
        }
        checkpoint("sandbox: before what an earlier agent left is ended")
        let problem = await OwnThread.run(limit: limit) { Self.endProcesses(record, groups, limit: limit) ?? "" }
        if problem != "" { return "\(name): \(problem ?? "it did not end in time")" }
        checkpoint("sandbox: after what an earlier agent left was ended")
        note.remove()
        return nil
    }

    private static func endProcesses(_ record: SandboxRecord, _ groups: ControlGroups?, limit: TimeLimit) -> String? {
        // A note could name any folder; only those that an agent makes are ended.
        if let groups, groups.made.contains(record.group), let problem = ControlGroups.end(record.group, limit: limit) {
            return problem
        }
        var marks = record.marks
        marks[.agent] = nil
        var processes = marks.compactMapValues(\.process)
        if let first = processes[.first], record.proof == .tree || record.proof == .pid {
            // A reaper's line is cut; what it has not ended yet ends with it.
            let report = ProcessTree.stop([first], limit: limit)
            if let why = report.explanation { return why }
            processes[.first] = nil
        }
        for process in processes.values { process.send(SIGKILL) }
        for process in processes.values {
            var item = pollfd(fd: process.descriptor.raw, events: Int16(POLLIN), revents: 0)
            while poll(&item, 1, limit.milliseconds(cap: 100)) <= 0 {
                if limit.isOver { return "process \(process.pid) did not end in time" }
            }
        }
        return nil
    }

    /// Groups that no note names, and files of sandboxes that have no note any more.
    private func leftovers(limit: TimeLimit) -> [String] {
        var problems: [String] = []
        let names = notes.names()
        let living = Set(names.filter { $0.hasSuffix(".note") }.map { $0.dropLast(5) })
        for group in groups?.made ?? [] {
            let id = group.split(separator: "/").last.map { $0.dropFirst(ControlGroups.prefix.count) } ?? ""
            if living.contains(id) || owner(of: id) { continue }
            if let problem = ControlGroups.end(group, limit: limit) { problems.append("\(group): \(problem)") }
        }
        for name in names {
            guard let dot = name.lastIndex(of: "."), !living.contains(name[..<dot]), !owner(of: name[..<dot]) else {
                continue
            }
            let path = "\(notes.folder)/\(name)"
            switch name[dot...] {
            case ".home":
                if let problem = OpenSandbox.empty(path, limit: limit) { problems.append("\(path): \(problem)") }
            case ".session", ".system": unlink(path)
            default: break
            }
        }
        return problems
    }

    /// Whether the agent that made this name still lives: `PID-START-NUMBER`.
    private func owner(of id: Substring) -> Bool {
        let parts = id.split(separator: "-")
        guard parts.count == 3, let pid = Int32(parts[0]), let started = UInt64(parts[1]) else { return false }
        return ProcessMark(pid: pid, started: started).process != nil
    }
}
