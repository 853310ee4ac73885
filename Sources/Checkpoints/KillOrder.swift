#if DEBUG
import Glibc
import Synchronization

/// What `BATON_KILL_AT`, `BATON_STOP_AT` or `BATON_SPIN_AT` says, for the program that it names.
final class KillOrder: Sendable {
    /// Nil: it goes round for ever.
    private let signal: Int32?
    private let number: Int
    private let file: String
    private let beginning: String
    private let passed = Mutex(0)

    static let given = [
        KillOrder("BATON_STOP_AT", SIGSTOP), KillOrder("BATON_SPIN_AT", nil), KillOrder("BATON_KILL_AT", SIGKILL),
    ].compactMap(\.self)

    private init?(_ variable: String, _ signal: Int32?) {
        guard let value = getenv(variable) else { return nil }
        let words = String(cString: value).split(separator: ":", maxSplits: 3).map(String.init)
        guard words.count >= 3, let number = Int(words[1]), words[0] == Self.program else { return nil }
        self.signal = signal
        self.number = number
        file = words[2]
        beginning = words.count > 3 ? words[3] : ""
    }

    /// The kernel's name of this process, of at most 15 bytes.
    private static var program: String {
        let descriptor = open("/proc/self/comm", O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 10 }, as: UTF8.self)
    }

    func pass(_ step: () -> String) {
        guard beginning.isEmpty || step().hasPrefix(beginning) else { return }
        let isDue = passed.withLock { passed in
            passed += 1
            return passed == number
        }
        guard isDue else { return }
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let name = Array(step().utf8.prefix(200))
        _ = write(descriptor, name, name.count)
        close(descriptor)
        // This thread is the one that the signal reaches, so that it comes no step further.
        if let signal { raise(signal) } else { while true { sched_yield() } }
    }
}
#endif
