import BusTesting
import Glibc

/// What root can read of another process's memory: as much as a core of it would hold, and without stopping it for long.
struct ProcessMemory {
    let pid: Int32

    /// Where a text stands, and what stands before it, as far as it can be shown.
    struct Place {
        var text: String
        var before: String
    }

    /// Every place in the writable memory at which one of the texts stands.
    func places(of texts: [String]) throws -> [Place] {
        let memory = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { throw TestingError("/proc/\(pid)/mem: \(errno)") }
        defer { close(memory) }
        // All threads stand still, so that nothing moves while it is read.
        kill(pid, SIGSTOP)
        defer { kill(pid, SIGCONT) }
        var found: [Place] = []
        for range in try ranges() {
            var bytes = [UInt8](repeating: 0, count: range.count)
            let size = bytes.count
            let got = bytes.withUnsafeMutableBytes { pread(memory, $0.baseAddress, size, off_t(range.lowerBound)) }
            // The kernel's own pages.
            guard got > 0 else { continue }
            for text in texts {
                for place in Self.find(text, in: bytes[..<got]) {
                    let before = bytes[max(0, place - 1500)..<place]
                    found.append(Place(text: text, before: Self.shown(before)))
                }
            }
        }
        return found
    }

    private static func find(_ text: String, in bytes: ArraySlice<UInt8>) -> [Int] {
        let pattern = Array(text.utf8)
        return bytes.withUnsafeBytes { memory in
            guard let start = memory.baseAddress, let first = pattern.first else { return [] }
            var places: [Int] = []
            var place = 0
            while memory.count - place >= pattern.count,
                let hit = memchr(start + place, Int32(first), memory.count - place - pattern.count + 1)
            {
                let offset = UnsafeRawPointer(hit) - start
                if memcmp(hit, pattern, pattern.count) == 0 { places.append(offset) }
                place = offset + 1
            }
            return places
        }
    }

    private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
    }

    private func ranges() throws -> [Range<Int>] {
        guard let maps = fopen("/proc/\(pid)/maps", "r") else { throw TestingError("/proc/\(pid)/maps: \(errno)") }
        defer { fclose(maps) }
        var ranges: [Range<Int>] = []
        var line = [CChar](repeating: 0, count: 8192)
        while fgets(&line, Int32(line.count), maps) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let words = text.split(separator: " ")
            guard words.count >= 2, words[1].hasPrefix("rw") else { continue }
            let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            if ends.count == 2, ends[0] < ends[1] { ranges.append(ends[0]..<ends[1]) }
        }
        guard !ranges.isEmpty else { throw TestingError("/proc/\(pid)/maps has no memory") }
        return ranges
    }
}
