import DBus
import Display
import LinuxSystem

/// How long GNOME's compositor has had no input: `org.gnome.Mutter.IdleMonitor` on the session bus.
///
/// It wakes nothing up while it waits. Programs that inhibit idleness keep it from becoming idle.
struct MutterIdle: Sendable {
    private static let busName: BusName = "org.gnome.Mutter.IdleMonitor"
    private static let interface: InterfaceName = "org.gnome.Mutter.IdleMonitor"
    /// In milliseconds.
    private static let idleTime = Method(interface, "GetIdletime", gives: Arguments(("idletime", UInt64.self)))
    private static let addIdle = Method(
        interface, "AddIdleWatch", takes: Arguments(("interval", UInt64.self)), gives: Arguments(("id", UInt32.self)))
    private static let addActive = Method(interface, "AddUserActiveWatch", gives: Arguments(("id", UInt32.self)))
    private static let remove = Method(interface, "RemoveWatch", takes: Arguments(("id", UInt32.self)))
    private static let fired = Signal(interface, "WatchFired", Arguments(("id", UInt32.self)))

    private let monitor: Proxy

    /// - Parameter connection: With the bus of the session whose compositor it is.
    init(_ connection: Connection) {
        monitor = Proxy(connection, Self.busName, "/org/gnome/Mutter/IdleMonitor/Core", options: .noAutoStart)
    }

    /// - Parameter waits: A little: a compositor may answer on the bus only after it has opened its socket.
    /// - Returns: Nil: there is no Mutter.
    static func find(on connection: Connection?, waits: Bool = true) async -> MutterIdle? {
        guard let found = connection.map(MutterIdle.init) else { return nil }
        let limit = TimeLimit(.seconds(3))
        while true {
            if await found.idle() != nil { return found }
            guard waits, !limit.isOver, !Task.isCancelled else { return nil }
            try? await OwnTasks.sleep(for: .milliseconds(200))
        }
    }

    /// Nil: there is no Mutter.
    func idle() async -> Duration? {
        let milliseconds = try? await monitor.call(Self.idleTime, timeout: .seconds(2))
        return milliseconds.map { .milliseconds(Int64(clamping: min($0, 1 << 40))) }
    }

    /// - Parameters as of `IdleWatch`.
    func watch(after: Duration, since start: UInt64) -> IdleWatch? {
        IdleWatch { report in try? await run(after, start, report) }
    }

    private enum News {
        case fired(UInt32)
        case gone
    }

    private func run(_ after: Duration, _ start: UInt64, _ report: (IdleWatch.Event) -> Void) async throws {
        let news = try await monitor.connection.subscribe(to: [
            SignalSource(Self.fired, from: Self.busName, at: monitor.path) { News.fired($0.values) },
            SignalSource.owner(of: Self.busName) { _ in News.gone },
        ])
        let milliseconds = after.wholeMilliseconds
        let idleWatch = try await monitor.call(Self.addIdle, milliseconds)
        var activeWatch: UInt32?
        // Not in this task, which may be cancelled.
        defer { for id in [idleWatch, activeWatch].compactMap(\.self) { forget(id) } }
        for try await item in news {
            switch item {
            case .gone: return
            case .fired(idleWatch):
                guard let since = try await idleSince(after, start) else { continue }
                // Before it is told: input right after it must not go unseen.
                activeWatch = try await monitor.call(Self.addActive)
                report(.idle(since: since))
            case .fired(let id) where id == activeWatch:
                activeWatch = nil
                report(.active)
            case .fired: break
            }
        }
    }

    private func forget(_ watch: UInt32) { Task { try? await monitor.call(Self.remove, watch) } }

    /// The last input, or what counts as it; nil: there is input again.
    private func idleSince(_ after: Duration, _ start: UInt64) async throws -> UInt64? {
        while let idle = await idle(), idle >= after {
            let now = BootClock.now
            let last = now - min(now, idle.wholeMilliseconds &* 1000)
            if last >= start { return last }
            // What was before that does not count.
            let left = after - .microseconds(Int64(clamping: now &- min(now, start)))
            guard left > .zero else { return start }
            try await OwnTasks.sleep(for: left)
        }
        return nil
    }
}
