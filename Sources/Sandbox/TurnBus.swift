import Glibc
import LinuxSystem
import Processes
import Synchronization
import TurnControl

/// The system bus as a turn's programs have it.
///
/// Its policy for them is in a file, and dbus-daemon says nothing of a rule that is not what its author meant. So beside the
/// first program of a turn another one asks for what it must not get.
enum TurnBus {
    /// The last turn's user for whom the bus was found to refuse.
    private static let checked = Mutex<TurnNumber?>(nil)

    /// - Returns: Nil: the bus refuses. Else that it lets the turn's programs talk with systemd, or that this cannot be told.
    static func fault(of number: TurnNumber, limit: TimeLimit) async -> LaunchFault? {
        if checked.withLock({ $0 == number }) { return nil }
        switch await OwnThread.run(limit: limit, { ask(as: number, limit: limit) }) ?? .failure(.noAnswer) {
        // busctl's words for org.freedesktop.DBus.Error.AccessDenied.
        case .success(let word) where word.contains("Access denied"):
            checked.withLock { $0 = number }
            return nil
        case .success(let word):
            return .failed("\(number.user): the bus does not refuse calls to other services: \(word)")
        case .failure(let failure):
            return .failed("\(number.user): the bus was not asked what it refuses: \(failure.text)")
        }
    }

    /// Each user may ping systemd, unless the policy of the turns forbids it.
    private static let words = [
        "/usr/bin/busctl", "--timeout=5", "--address=\(SystemBus.address)", "call", "org.freedesktop.systemd1",
        "/org/freedesktop/systemd1", "org.freedesktop.DBus.Peer", "Ping",
    ]

    private static func ask(as number: TurnNumber, limit: TimeLimit) -> Result<String, TurnStarter.Failure> {
        guard let (reading, writing) = Descriptor.pipe() else {
            return .failure(.unreachable(reason: "no descriptors left"))
        }
        let program = TurnProgram(
            arguments: words, environment: ["LC_ALL=C"], handed: [.init(writing, as: 1), .init(writing, as: 2)])
        do throws(TurnStarter.Failure) {
            let running = try TurnStarter(number).start(program, limit: limit)
            defer { running.close() }
            let end = running.end(limit: limit)
            return .success(end == .exited(0) ? "systemd answered" : text(in: reading))
        } catch {
            return .failure(error)
        }
    }

    /// What it has said by its end.
    private static func text(in pipe: Descriptor) -> String {
        var bytes = [UInt8](repeating: 0, count: 1024)
        var wait = pollfd(fd: pipe.raw, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 0) > 0 else { return "busctl said nothing" }
        let count = max(read(pipe.raw, &bytes, bytes.count), 0)
        return String(decoding: bytes.prefix(count).map { (32...126).contains($0) ? $0 : 32 }, as: UTF8.self)
    }
}
