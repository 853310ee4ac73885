import Glibc
import LinuxSystem
import Processes
import Synchronization
import TurnControl

/// The system bus as a turn's programs have it.
///
/// Its policy for them is in a file, and dbus-daemon says nothing of a rule that is not what its author meant. So before the
/// apps of a turn begin, a program of that turn asks for what it must not get.
enum TurnBus {
    static let path = "/run/dbus/system_bus_socket"
    static let address = "unix:path=\(path)"

    /// The last turn's user for whom the bus was found to refuse.
    private static let checked = Mutex<TurnNumber?>(nil)

    /// - Throws: If the bus lets the turn's programs talk with systemd, or it cannot be told.
    static func check(as number: TurnNumber, limit: TimeLimit) async throws(LaunchFault) {
        if checked.withLock({ $0 == number }) { return }
        let said = await OwnThread.run(limit: limit) { ask(as: number, limit: limit) } ?? .failure(.noAnswer)
        let word: String
        do throws(TurnStarter.Failure) {
            word = try said.get()
        } catch {
            throw .failed("\(number.user): the bus was not asked what it refuses: \(error.text)")
        }
        // busctl's words for org.freedesktop.DBus.Error.AccessDenied.
        guard word.contains("Access denied") else {
            throw .failed("\(number.user): the bus does not refuse calls to other services: \(word)")
        }
        checked.withLock { $0 = number }
    }

    /// Each user may ping systemd, unless the policy of the turns forbids it.
    private static let words = [
        "/usr/bin/busctl", "--timeout=5", "--address=\(address)", "call", "org.freedesktop.systemd1",
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
