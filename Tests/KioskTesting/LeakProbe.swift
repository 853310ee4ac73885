import BusTesting
import FolderTesting
import Glibc
import Needles

/// Looks for a text where no page can: in files, in the processes of this user, on the clipboard.
public struct LeakProbe: Sendable {
    /// Where the text is, and how it is written there.
    public struct Place: Sendable, Hashable, CustomStringConvertible {
        public var place: String
        public var form: String

        public init(place: String, form: String) {
            self.place = place
            self.form = form
        }

        public var description: String { "\(place) (\(form))" }
    }

    /// What was found, and what could not be looked at.
    public struct Findings: Sendable {
        public var places: [Place] = []
        public var unread: [String] = []

        mutating func add(_ place: String, _ forms: Set<String>) {
            places += forms.sorted().map { Place(place: place, form: $0) }
        }
    }

    let needles: Needles
    private let text: String

    /// - Parameter text: At least eight letters, and such as nothing else has.
    public init(_ text: String) {
        self.text = text
        needles = Needles(text)
    }

    /// All files below, with their names and the targets of links; other file systems below are entered.
    ///
    /// A sandbox's own files are at `/proc/PID/root/...`.
    public func files(under folders: [String]) async -> Findings {
        await onThreadOfItsOwn {
            var findings = Findings()
            for folder in folders { walk(folder, &findings) }
            return findings
        }
    }

    /// Command lines, environments and memory of all processes of this user but this one and `excluded`.
    ///
    /// - Parameter only: Look at these alone.
    public func processes(except excluded: Set<Int32> = [], only: Set<Int32>? = nil) async -> Findings {
        await onThreadOfItsOwn {
            var findings = Findings()
            for name in names(in: "/proc") {
                guard let pid = Int32(name), pid != getpid(), !excluded.contains(pid), only?.contains(pid) != false
                else { continue }
                var status = stat()
                guard stat("/proc/\(pid)", &status) == 0, status.st_uid == getuid() else { continue }
                process(pid, &findings)
            }
            return findings
        }
    }

    /// The selections of an X display that hold the text.
    public func selections(display: String) async throws -> [StateKind] {
        var found: [StateKind] = []
        for (kind, name) in [(StateKind.clipboard, "clipboard"), (.primarySelection, "primary")] {
            // The owner of a selection answers, and may not: hence the limit.
            let xclip = try ChildProcess(
                ["timeout", "5", "xclip", "-selection", name, "-o"], environment: ["DISPLAY": display])
            if await xclip.end().output.contains(text) { found.append(kind) }
        }
        return found
    }

    private func walk(_ path: String, _ findings: inout Findings) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        if path.contains(text) { findings.add("name of \(path)", ["UTF-8"]) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: for name in names(in: path) { walk("\(path)/\(name)", &findings) }
        case S_IFREG: file(path, &findings)
        case S_IFLNK:
            var target = [UInt8](repeating: 0, count: 4096)
            let count = target.withUnsafeMutableBytes { bytes -> Int in
                guard let base = bytes.baseAddress else { return 0 }
                return readlink(path, base.assumingMemoryBound(to: CChar.self), bytes.count)
            }
            guard count > 0 else { return }
            findings.add("target of \(path)", target.prefix(count).withUnsafeBytes { needles.found(in: $0) })
        default: return
        }
    }

    private func file(_ path: String, _ findings: inout Findings) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno != ENOENT { findings.unread.append(path) }
            return
        }
        defer { close(descriptor) }
        findings.add(path, needles.found { read(descriptor, $0.baseAddress, $0.count) })
    }

    private func process(_ pid: Int32, _ findings: inout Findings) {
        let name = (contents("/proc/\(pid)/comm") ?? "").filter { $0 != "\n" }
        file("/proc/\(pid)/cmdline", &findings)
        file("/proc/\(pid)/environ", &findings)
        let memory = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0, let maps = contents("/proc/\(pid)/maps") else {
            if memory >= 0 { close(memory) }
            return findings.unread.append("memory of \(pid) \(name)")
        }
        defer { close(memory) }
        var forms: Set<String> = []
        for line in maps.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard words.count >= 5, words[1].hasPrefix("r") else { continue }
            let name = words.dropFirst(5).first?.drop { $0 == " " } ?? ""
            // The code of an installed program is what root's file has, and a browser maps much of it in each process.
            let isCode = words[1].hasPrefix("r-x") && name.hasPrefix("/usr/")
            guard !isCode, !name.hasPrefix("[vv") else { continue }
            let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard ends.count == 2, var position = off_t(exactly: ends[0]), let end = off_t(exactly: ends[1]) else {
                continue
            }
            forms.formUnion(
                needles.found { buffer in
                    let count = pread(memory, buffer.baseAddress, min(buffer.count, Int(end - position)), position)
                    position += max(off_t(count), 0)
                    return count
                })
        }
        findings.add("memory of \(pid) \(name)", forms)
    }
}
