import Checkpoints
import Glibc
import LinuxSystem
import Processes

/// A cgroup2 folder in which this user may make groups.
struct ControlGroups: Sendable {
    let root: String
    /// Of the groups that are made here.
    static let prefix = "baton-"

    /// The one from the surroundings, or the agent's own group; nil when there is none or nothing can be made in it.
    static func find(_ surroundings: Surroundings) -> ControlGroups? {
        guard let root = surroundings.controlGroup ?? own(), access(root + "/cgroup.procs", W_OK) == 0,
            access(root, W_OK) == 0
        else { return nil }
        return ControlGroups(root: root)
    }

    private static func own() -> String? {
        guard let groups = readSmallFile("/proc/self/cgroup"),
            let mounts = readSmallFile("/proc/self/mountinfo", most: 1 << 20)
        else { return nil }
        let line = String(decoding: groups, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("0::/") }
        guard let group = line?.dropFirst(3) else { return nil }
        for mount in String(decoding: mounts, as: UTF8.self).split(separator: "\n") {
            // … root mountpoint options … - cgroup2 …, as in proc(5).
            let words = mount.split(separator: " ")
            guard let dash = words.firstIndex(of: "-"), words.indices.contains(dash + 1), words[dash + 1] == "cgroup2",
                dash > 4, words[3] == "/"
            else { continue }
            let place = String(words[4])
            return group == "/" ? place : place + group
        }
        return nil
    }

    /// Makes a group; its folder.
    func make(_ id: String) throws(LaunchFault) -> String {
        let folder = "\(root)/\(Self.prefix)\(id)"
        guard mkdir(folder, 0o755) == 0 else { throw .failed("no control group can be made: \(reason(errno))") }
        return folder
    }

    /// The groups in it that agents have made.
    var made: [String] {
        Self.folders(in: root).filter { $0.hasPrefix(Self.prefix) }.map { "\(root)/\($0)" }
    }

    // MARK: One group, by its folder

    /// The processes of a group and of those below it.
    static func processes(in group: String) -> Set<Int32> {
        var result: Set<Int32> = []
        for folder in tree(group) {
            guard let text = readSmallFile(folder + "/cgroup.procs", most: 1 << 20) else { continue }
            result.formUnion(String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { Int32($0) })
        }
        return result
    }

    /// False when a process is in it or below it, or when it cannot be read; a group that is gone is empty.
    static func isEmpty(_ group: String) -> Bool {
        guard let text = readSmallFile(group + "/cgroup.events") else { return isGone(group) }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").contains("populated 0")
    }

    private static func isGone(_ group: String) -> Bool { access(group, F_OK) != 0 && errno == ENOENT }

    /// Kills all in it, waits until it is empty and removes it; nil, or why not. Blocks.
    static func end(_ group: String, limit: TimeLimit) -> String? {
        let events = open(group + "/cgroup.events", O_RDONLY | O_CLOEXEC)
        guard events >= 0 else {
            let why = errno
            // Looked at only now: another process may be ending it as well.
            return isGone(group) ? nil : "its control group cannot be read: \(reason(why))"
        }
        let watched = Descriptor(owning: events)
        checkpoint("sandbox: before a control group is killed")
        let isKilled = set(group + "/cgroup.kill", "1")
        checkpoint("sandbox: after a control group was killed")
        while !isEmpty(group) {
            if limit.isOver { return "its control group was not empty in time" }
            if !isKilled { freezeAndKill(group) }
            var item = pollfd(fd: watched.raw, events: Int16(POLLPRI), revents: 0)
            // The first answer comes at once; without cgroup.kill, children forked meanwhile are killed in the next round.
            poll(&item, 1, limit.milliseconds(cap: isKilled ? 100 : 20))
        }
        checkpoint("sandbox: before a control group is removed")
        for folder in tree(group).reversed() {
            guard rmdir(folder) == 0 || errno == ENOENT else { return "its control group stays: \(reason(errno))" }
        }
        return nil
    }

    /// Before Linux 5.14. SIGKILL also ends what is frozen.
    static func freezeAndKill(_ group: String) {
        _ = set(group + "/cgroup.freeze", "1")
        for pid in processes(in: group) where pid > 0 {
            guard let process = ProcessHandle(pid: pid), processes(in: group).contains(pid) else { continue }
            process.send(SIGKILL)
        }
    }

    private static func set(_ file: String, _ value: String) -> Bool {
        let raw = open(file, O_WRONLY | O_CLOEXEC)
        guard raw >= 0 else { return false }
        let descriptor = Descriptor(owning: raw)
        return value.withCString { write(descriptor.raw, $0, strlen($0)) } > 0
    }

    /// A group and all below it, parents first.
    private static func tree(_ group: String) -> [String] {
        var result = [group]
        var position = 0
        while result.indices.contains(position) {
            let folder = result[position]
            result += folders(in: folder).map { "\(folder)/\($0)" }
            position += 1
        }
        return result
    }

    private static func folders(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var result: [String] = []
        while let entry = readdir(stream) {
            let name = EntryName(entry)
            if Int(entry.pointee.d_type) == Int(DT_DIR), !name.isDots { result.append(name.text) }
        }
        return result
    }
}
