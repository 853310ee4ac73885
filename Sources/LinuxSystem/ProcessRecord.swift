package import Glibc

/// One line of `/proc/PID/stat`, as far as process trees need it.
package struct ProcessRecord: Equatable {
    package let pid: pid_t
    /// The command's name, at most 15 bytes; any program may choose it.
    package let name: String
    package let state: UInt8
    package let parent: pid_t
    package let group: pid_t
    package let session: pid_t
    /// In clock ticks since boot; together with the pid it names a process for good.
    package let started: UInt64

    /// Nil when the process is gone or the text is not what the kernel documents.
    package init?(pid: pid_t) {
        guard let text = readSmallFile("/proc/\(pid)/stat") else { return nil }
        self.init(stat: text)
    }

    package init?(stat text: [UInt8]) {
        // The command's name may hold blanks and parentheses; the last one closes it.
        guard let open = text.firstIndex(of: UInt8(ascii: "(")), let close = text.lastIndex(of: UInt8(ascii: ")")),
            open < close
        else { return nil }
        // Numbered from 1 as in proc(5); the state is the third. Read without making texts of them: stopping an app looks
        // at all processes, again and again.
        var fields = DecimalFields(text[text.index(after: close)...])
        guard let pid: pid_t = DecimalFields.number(text[..<open].dropLast()),
            let state = fields.next()?.first,
            let parent = fields.nextNumber(pid_t.self), let group = fields.nextNumber(pid_t.self),
            let session = fields.nextNumber(pid_t.self), fields.skip(15),
            let started = fields.nextNumber(UInt64.self)
        else { return nil }
        self.pid = pid
        name = String(decoding: text[text.index(after: open)..<close], as: UTF8.self)
        self.state = state
        self.parent = parent
        self.group = group
        self.session = session
        self.started = started
    }

    /// The pids of all processes, highest first, or nil when `/proc` cannot be read.
    package static func pids(in proc: String = "/proc") -> [pid_t]? {
        numbers(in: proc).map { $0.sorted(by: >) }
    }

    /// Ended, but its parent has not taken note.
    package var isZombie: Bool {
        state == UInt8(ascii: "Z") || state == UInt8(ascii: "X")
    }

    /// The states of all its threads, such as `R`, `S`, `T`; empty when it is gone.
    package static func threadStates(of pid: pid_t) -> [UInt8] {
        (numbers(in: "/proc/\(pid)/task") ?? []).compactMap { thread in
            readSmallFile("/proc/\(pid)/task/\(thread)/stat").flatMap { ProcessRecord(stat: $0)?.state }
        }
    }

    /// The real uid, which is what decides who may signal it.
    package static func realUser(of pid: pid_t) -> uid_t? {
        guard let text = readSmallFile("/proc/\(pid)/status") else { return nil }
        for line in text.split(separator: UInt8(ascii: "\n")) where line.starts(with: Array("Uid:".utf8)) {
            let words = line.split { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
            return words.count > 1 ? uid_t(String(decoding: words[1], as: UTF8.self)) : nil
        }
        return nil
    }

    private static func numbers(in directory: String) -> [pid_t]? {
        guard let stream = opendir(directory) else { return nil }
        defer { closedir(stream) }
        var result: [pid_t] = []
        while let entry = readdir(stream) {
            if let number = pid_t(EntryName(entry).text) {
                result.append(number)
            }
        }
        return result
    }
}
