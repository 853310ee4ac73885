import BatonContract
import DBus
import DeviceMetrics
import Journal
import Logging
import Providers
import SessionMachine
import Settings
import Supervisor
import Synchronization
import SystemPackage

/// The file and the socket of metrics, as the settings want them. What fails of them is a warning and holds nothing up.
final class MetricsOutlets: Sendable {
    private struct State {
        var settings = MetricsSettings()
        var file: MetricsFile?
        var socket: MetricsSocket?
        var isStopped = false
    }

    /// A disk that hangs must not keep batond from its end.
    private static let patience = Duration.seconds(1)

    private let source: MetricsSource
    private let thread: BusThread
    private let log: Logger
    private let state = Mutex(State())

    init(_ supervisor: Supervisor, _ places: DaemonOptions.FolderLayout, clock: Clock, log: Logger) {
        thread = supervisor.thread
        self.log = log
        let (folder, started) = (places.state.string, clock.now().wall)
        source = MetricsSource(
            ask: { then in supervisor.thread.performLater { then(supervisor.assumeIsolated { $0.figures() }) } },
            process: {
                ProcessFigures(version: Version.current, started: started, journalSize: Journal.size(in: folder))
            })
    }

    /// Has the figures of this supervisor written, now and whenever they change.
    func watch(_ supervisor: Supervisor) async {
        await supervisor.watchFigures { [weak self] in self?.changed() }
    }

    func changed() { state.withLock(\.file)?.changed() }

    /// Takes over settings; what they leave as it is goes on.
    func adopt(_ settings: MetricsSettings) {
        state.withLock { state in
            guard !state.isStopped else { return }
            if settings.textfile != state.settings.textfile {
                state.file?.close {}
                state.file = settings.textfile.map { MetricsFile($0, source: source, log: log) }
            }
            if settings.socket != state.settings.socket {
                state.socket?.close {}
                state.socket = settings.socket.map { MetricsSocket($0, source: source, log: log) }
                state.socket?.start()
            }
            state.settings = settings
        }
        // Another provider may have come with them.
        changed()
    }

    /// Removes what there is, so that no numbers are read which no batond stands for. Waits for a moment at most.
    func stop() async {
        let (file, socket) = state.withLock { state in
            defer { state = State(isStopped: true) }
            return (state.file, state.socket)
        }
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        file?.close { ended.yield() }
        socket?.close { ended.yield() }
        let timer = thread.schedule(after: Self.patience) { ended.finish() }
        var left = [file == nil, socket == nil].count { !$0 }
        var iterator = ends.makeAsyncIterator()
        while left > 0, await iterator.next() != nil { left -= 1 }
        thread.cancel(timer)
    }
}
