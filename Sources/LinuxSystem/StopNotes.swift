import Glibc
import Synchronization

/// Which processes are being stopped, in files of a folder in memory: who is killed in the middle leaves them standing still,
/// tied to nothing that the next one could find them by, and the next one ends them.
public struct StopNotes: Sendable {
    private static let next = Atomic(0)
    private static let prefix = "stopping-"
    /// As many as a look into `/proc` finds.
    private static let longest = 4 << 20

    private let folder: String

    /// - Parameter folder: This user's own, and gone with the machine's memory.
    public init(folder: String) { self.folder = folder }

    /// The note of one stop.
    struct Note {
        fileprivate let path: String

        /// Everything that was found so far.
        func write(_ processes: some Sequence<ProcessHandle>) {
            let text = processes.map { "\($0.pid) \($0.started)\n" }.joined()
            let raw = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard raw >= 0 else { return }
            let file = Descriptor(owning: raw)
            _ = text.withCString { Glibc.write(file.raw, $0, strlen($0)) }
        }

        func remove() { unlink(path) }
    }

    func begin() -> Note {
        mkdir(folder, 0o700)
        let number = Self.next.wrappingAdd(1, ordering: .relaxed).newValue
        return Note(path: "\(folder)/\(Self.prefix)\(getpid())-\(number)")
    }

    /// Ends what an earlier process was killed at. Gives what could not be proven gone.
    package func sweep(limit: TimeLimit) -> [String] {
        names().compactMap { name in
            let path = "\(folder)/\(name)"
            let lines = String(decoding: readSmallFile(path, most: Self.longest) ?? [], as: UTF8.self).split(
                separator: "\n")
            let left = lines.compactMap { line -> ProcessHandle? in
                let words = line.split(separator: " ")
                guard words.count == 2, let pid = Int32(words[0]), let process = ProcessHandle(pid: pid),
                    process.started == UInt64(words[1])
                else { return nil }
                return process
            }
            let report = ProcessTree.stop(left, limit: limit)
            if let why = report.explanation { return "the list of processes being stopped: \(why)" }
            unlink(path)
            return nil
        }
    }

    private func names() -> [String] {
        guard let entries = opendir(folder) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(Self.prefix) { names.append(name) }
        }
        return names.sorted()
    }
}
