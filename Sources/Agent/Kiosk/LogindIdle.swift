import DBus
import Display
import Glibc
import LinuxSystem

/// What systemd-logind says of the session's idleness (`IdleHint`, org.freedesktop.login1(5)), on the system bus.
///
/// logind has it from the desktop, which says so when its own time for that is over, or never. Of a session on a terminal logind looks
/// itself.
struct LogindIdle: Sendable {
    private static let busName: BusName = "org.freedesktop.login1"
    private static let interface: InterfaceName = "org.freedesktop.login1.Session"
    private static let getSession = Method(
        "org.freedesktop.login1.Manager", "GetSession", takes: Arguments(("session_id", String.self)),
        gives: Arguments(("object_path", ObjectPath.self)))
    private static let id = Property(interface, "Id", String.self)
    private static let hint = Property(interface, "IdleHint", Bool.self)
    /// CLOCK_MONOTONIC in microseconds.
    private static let since = Property(interface, "IdleSinceHintMonotonic", UInt64.self)

    private let session: Proxy

    private init(_ session: Proxy) { self.session = session }

    /// Nil: there is no logind, or this program belongs to no session and its user has none on a display.
    static func find(on connection: Connection) async -> LogindIdle? {
        let own = Proxy(connection, busName, "/org/freedesktop/login1/session/auto", options: .noAutoStart)
        let manager = Proxy(connection, busName, "/org/freedesktop/login1", options: .noAutoStart)
        // Its changes are told from the session's own path.
        guard let id = try? await own.get(id), let path = try? await manager.call(getSession, id) else { return nil }
        return LogindIdle(Proxy(connection, busName, path, options: .noAutoStart))
    }

    /// Nil: logind does not answer.
    func idle() async -> Duration? {
        guard let isIdle = try? await session.get(Self.hint) else { return nil }
        guard isIdle, let since = try? await session.get(Self.since) else { return .zero }
        let now = Self.now
        return .microseconds(Int64(clamping: now > since ? now - since : 0))
    }

    /// CLOCK_MONOTONIC in microseconds.
    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(clamping: time.tv_sec) &* 1_000_000 &+ UInt64(clamping: time.tv_nsec / 1000)
    }

    /// - Parameters as of `IdleWatch`.
    func watch(after: Duration, since start: UInt64) -> IdleWatch? {
        IdleWatch { report in try? await run(after, start, report) }
    }

    private enum News {
        case changed
        case gone
    }

    private typealias Report = @Sendable (IdleWatch.Event) -> Void

    private func run(_ after: Duration, _ start: UInt64, _ report: @escaping Report) async throws {
        let news = try await session.connection.subscribe(to: [
            SignalSource.properties(of: Self.interface, from: Self.busName, at: session.path) { _ in News.changed },
            SignalSource.owner(of: Self.busName) { _ in News.gone },
        ])
        var wasIdle = try await session.get(Self.hint)
        var waiting = tell(after, start, report)
        defer { waiting.cancel() }
        for try await item in news {
            guard case .changed = item else { return }
            let isIdle = try await session.get(Self.hint)
            guard isIdle != wasIdle else { continue }
            wasIdle = isIdle
            waiting.cancel()
            if isIdle { waiting = tell(after, start, report) } else { report(.active) }
        }
    }

    /// Says that the device is idle when it has been for long enough, if it is.
    private func tell(_ after: Duration, _ start: UInt64, _ report: @escaping Report) -> Task<Void, Never> {
        Task {
            guard let idle = await idle(), idle > .zero else { return }
            let now = BootClock.now
            // What was before that does not count.
            let since = max(start, now - min(now, idle.wholeMilliseconds &* 1000))
            let left = after - .microseconds(Int64(clamping: now &- min(now, since)))
            if left > .zero { guard (try? await OwnTasks.sleep(for: left)) != nil else { return } }
            if !Task.isCancelled { report(.idle(since: since)) }
        }
    }
}
