#if DEBUG
internal import Glibc
internal import Synchronization

/// What `BATON_KILL_AT` says, for the program that it names.
final class KillOrder: Sendable {
    private let number: Int
    private let file: String
    private let passed = Mutex(0)

    static let given: KillOrder? = getenv("BATON_KILL_AT").flatMap { KillOrder(String(cString: $0)) }

    private init?(_ text: String) {
        let words = text.split(separator: ":", maxSplits: 2).map(String.init)
        guard words.count == 3, let number = Int(words[1]), words[0] == Self.program else { return nil }
        self.number = number
        file = words[2]
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
        let isDue = passed.withLock { passed in
            passed += 1
            return passed == number
        }
        guard isDue else { return }
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let name = Array(step().utf8.prefix(200))
        _ = write(descriptor, name, name.count)
        kill(getpid(), SIGKILL)
    }
}
#endif
