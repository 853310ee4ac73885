import FolderTesting
import Glibc

extension Program {
    /// In KiB; 0 when it has ended.
    public var residentMemory: Int { Self.residentMemory(of: pid) }

    /// The most that it ever was, in KiB; 0 when it has ended.
    public var peakMemory: Int { Self.number("VmHWM:", in: "/proc/\(pid)/status") }

    /// From here on the most is counted anew, where the system lets us.
    public func forgetPeak() {
        guard let file = fopen("/proc/\(pid)/clear_refs", "w") else { return }
        fputs("5\n", file)
        fclose(file)
    }

    /// What of the resident memory is its own, and what are pages of programs and libraries that the system takes away
    /// when it needs the room, both in KiB; 0 when it has ended.
    public var memoryParts: (own: Int, files: Int) {
        (Self.number("RssAnon:", in: "/proc/\(pid)/status"), Self.number("RssFile:", in: "/proc/\(pid)/status"))
    }

    /// In KiB; 0 when there is no such process.
    public static func residentMemory(of pid: Int32) -> Int { number("VmRSS:", in: "/proc/\(pid)/status") }

    /// How often each of its threads went to sleep so far, by thread.
    public var sleeps: [String: Int] { Self.sleeps(of: pid) }

    public static func sleeps(of pid: Int32) -> [String: Int] {
        var counts: [String: Int] = [:]
        for name in names(in: "/proc/\(pid)/task") {
            counts[name] = number("voluntary_ctxt_switches:", in: "/proc/\(pid)/task/\(name)/status")
        }
        return counts
    }

    /// Its timers that will ring: how far off each is, in seconds, and after how many it rings again, 0: never.
    public var armedTimers: [(value: Double, interval: Double)] {
        names(in: "/proc/\(pid)/fdinfo").compactMap { name in
            guard let text = contents("/proc/\(pid)/fdinfo/\(name)") else { return nil }
            func seconds(_ key: String) -> Double? {
                let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
                let parts = line?.split { !$0.isNumber }.compactMap { Double($0) } ?? []
                return parts.count == 2 ? parts[0] + parts[1] / 1e9 : nil
            }
            guard let value = seconds("it_value:"), let interval = seconds("it_interval:"), value > 0 else {
                return nil
            }
            return (value, interval)
        }
    }

    #if arch(x86_64)
    /// Its threads that sleep with a time limit, each with the number of the system call in which it does.
    public var timedSleeps: [String] {
        // The calls that can wait with a limit, and whether that is a number of milliseconds or an address, by which
        // argument it is.
        let limits: [Int: (argument: Int, isAddress: Bool)] = [
            7: (3, false), 23: (5, true), 35: (1, true), 128: (3, true), 202: (4, true), 230: (3, true),
            232: (4, false), 270: (5, true), 271: (3, true), 281: (4, false), 441: (4, true),
        ]
        return names(in: "/proc/\(pid)/task").filter { thread in
            let words = contents("/proc/\(pid)/task/\(thread)/syscall")?.split(separator: " ") ?? []
            guard let call = words.first.flatMap({ Int($0) }), let limit = limits[call],
                words.indices.contains(limit.argument),
                let value = UInt64(words[limit.argument].dropFirst(2), radix: 16)
            else { return false }
            // Whoever wakes another hands over no limit; a futex has one only when it waits.
            if call == 202, let operation = UInt64(words[2].dropFirst(2), radix: 16),
                ![0, 9].contains(operation & 0x7F)
            {
                return false
            }
            return limit.isAddress ? value != 0 : Int32(truncatingIfNeeded: value) > 0
        }
    }
    #else
    public var timedSleeps: [String] { [] }
    #endif

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

    public var openDescriptors: Int { names(in: "/proc/\(pid)/fd").count }

    /// The same when no more than that many are open, or after two seconds: batond writes which turn has ended after it has
    /// answered.
    public func openDescriptors(soonAtMost limit: Int) async throws -> Int {
        for _ in 0..<100 where openDescriptors > limit { try await Task.sleep(for: .milliseconds(20)) }
        return openDescriptors
    }
}
