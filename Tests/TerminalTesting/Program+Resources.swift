import Glibc

extension Program {
    /// In KiB; 0 when it has ended.
    public var residentMemory: Int { Self.residentMemory(of: pid) }

    /// In KiB; 0 when there is no such process.
    public static func residentMemory(of pid: Int32) -> Int {
        guard let file = fopen("/proc/\(pid)/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix("VmRSS:") else { continue }
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
