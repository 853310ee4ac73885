import Glibc

extension Program {
    /// In KiB; 0 when it has ended.
    public var residentMemory: Int { Self.residentMemory(of: pid) }

    /// The most that it ever was, in KiB; 0 when it has ended.
    public var peakMemory: Int { Self.number("VmHWM:", in: "/proc/\(pid)/status") }

    /// What of the resident memory is its own, and what are pages of programs and libraries that the system takes away
    /// when it needs the room, both in KiB; 0 when it has ended.
    public var memoryParts: (own: Int, files: Int) {
        (Self.number("RssAnon:", in: "/proc/\(pid)/status"), Self.number("RssFile:", in: "/proc/\(pid)/status"))
    }

    /// In KiB; 0 when there is no such process.
    public static func residentMemory(of pid: Int32) -> Int { number("VmRSS:", in: "/proc/\(pid)/status") }

    /// How often each of its threads went to sleep so far, by thread.
    public var sleeps: [String: Int] {
        guard let folder = opendir("/proc/\(pid)/task") else { return [:] }
        defer { closedir(folder) }
        var counts: [String: Int] = [:]
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix(".") else { continue }
            counts[name] = Self.number("voluntary_ctxt_switches:", in: "/proc/\(pid)/task/\(name)/status")
        }
        return counts
    }

    private static func number(_ key: String, in path: String) -> Int {
        guard let file = fopen(path, "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix(key) else { continue }
            return text.split { " \t\n".contains($0) }.dropFirst().first.flatMap { Int($0) } ?? 0
        }
        return 0
    }

    public var openDescriptors: Int {
        guard let folder = opendir("/proc/\(pid)/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count - 2
    }
}
