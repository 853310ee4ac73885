import Glibc
import LinuxSystem
import Processes
import Synchronization
import Vocabulary

/// The agent's notes of the sandboxes that run, in a folder that only this user reads; in memory, as all of the runtime folder.
final class SandboxNotes: Sendable {
    let folder: String
    /// For all of this process: no two sandboxes may have one name.
    private static let next = Atomic(0)
    private let agent = ProcessHandle(pid: getpid()).map(ProcessMark.init)

    init(folder: String) {
        self.folder = folder
    }

    /// Makes the folder, or says what is wrong with it.
    func prepare() -> LaunchFault? {
        var status = stat()
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST, lstat(folder, &status) == 0 else {
            return .failed("\(folder) cannot be made: \(reason(errno))")
        }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            return .failed("\(folder) is not this user's own folder")
        }
        return nil
    }

    /// One sandbox's note.
    final class Entry: Sendable {
        /// Everything of this sandbox that lies in the folder has a name that begins so.
        let path: String
        private let record: Mutex<SandboxRecord>

        init(path: String, record: SandboxRecord) {
            self.path = path
            self.record = Mutex(record)
        }

        var id: String { path.split(separator: "/").last.map(String.init) ?? path }

        func record(_ processes: [SandboxRecord.Role: ProcessHandle?], group: String = "") {
            let text = record.withLock { record in
                for (role, process) in processes { record.marks[role] = process.map(ProcessMark.init) }
                if !group.isEmpty { record.group = group }
                return record.text
            }
            let raw = open(path + ".note", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard raw >= 0 else { return }
            let file = Descriptor(owning: raw)
            _ = text.withCString { write(file.raw, $0, strlen($0)) }
        }

        func remove() { unlink(path + ".note") }
    }

    func entry(name: String, proof: Proof) -> Entry {
        var record = SandboxRecord()
        record.name = name
        record.proof = proof
        record.boot = SandboxRecord.currentBoot
        record.marks[.agent] = agent
        let number = Self.next.wrappingAdd(1, ordering: .relaxed).newValue
        return Entry(path: "\(folder)/\(getpid())-\(agent?.started ?? 0)-\(number)", record: record)
    }

    /// The notes of agents that are gone, by the beginning of their files' names.
    func left() -> [String: SandboxRecord] {
        var result: [String: SandboxRecord] = [:]
        for name in names() where name.hasSuffix(".note") {
            let bytes = readSmallFile("\(folder)/\(name)") ?? []
            let record = SandboxRecord(text: String(decoding: bytes, as: UTF8.self))
            // Another agent of this user, on another bus.
            if record.boot == SandboxRecord.currentBoot, record.marks[.agent]?.process != nil { continue }
            result[String(name.dropLast(5))] = record
        }
        return result
    }

    func names() -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var result: [String] = []
        while let entry = readdir(stream) {
            let name = EntryName(entry)
            if !name.isDots { result.append(name.text) }
        }
        return result.sorted()
    }
}
