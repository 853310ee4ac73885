import Glibc
import LinuxSystem
package import Logging
import Synchronization

/// Answers `GET /metrics` at a Unix socket, over HTTP: that is what scrapers and `curl --unix-socket` speak.
///
/// It has a thread of its own, which sleeps as long as no caller is there. The session's thread is asked for figures and never
/// waits for a caller; if it does not answer, neither do metrics.
package final class MetricsSocket: Sendable {
    private struct News {
        var figures: [(number: UInt64, figures: DeviceFigures)] = []
        var isClosed = false
        /// To be called when the thread ends.
        var then: (@Sendable () -> Void)?
        var hasEnded = true
    }

    private let path: String
    private let source: MetricsSource
    private let fault: FaultNote
    private let patience: Duration
    private let news = Mutex(News())
    private let bell: (read: Descriptor, write: Descriptor)?

    /// - Parameter patience: How long a caller may take for all of it.
    package init(_ path: String, source: MetricsSource, patience: Duration = .seconds(5), log: Logger) {
        self.path = path
        self.source = source
        self.patience = patience
        fault = FaultNote(
            failing: "the socket of metrics cannot be made", working: "the socket of metrics is there again", path,
            log: log)
        bell = Descriptor.pipe(O_NONBLOCK)
    }

    /// Begins to listen, soon; to be called once. What keeps it from that is a line in the log.
    package func start() {
        news.withLock { $0.hasEnded = false }
        let isStarted = OwnThread.start { [self] in
            listen()
            ended()
        }
        guard !isStarted else { return }
        fault.note("no thread can be started")
        ended()
    }

    /// Ends all connections and removes the socket; `then` is called when that is done.
    package func close(then: @escaping @Sendable () -> Void) {
        let hasEnded = news.withLock { news in
            news.isClosed = true
            if !news.hasEnded { news.then = then }
            return news.hasEnded
        }
        if hasEnded { then() } else { ring() }
    }

    private func ended() {
        let then = news.withLock { news in
            news.hasEnded = true
            return news.then
        }
        then?()
    }

    private func ring() {
        var byte: UInt8 = 0
        // If it is full, it rings already.
        if let bell { _ = Glibc.write(bell.write.raw, &byte, 1) }
    }

    private func listen() {
        guard let bell else { return fault.note("no file descriptor is left") }
        do throws(MetricsListener.Fault) {
            let listener = try MetricsListener(path)
            fault.note(nil)
            var server = MetricsServer(listener, bell: bell.read, patience: patience)
            server.run(hearing: hear, asking: ask, text: source.text)
            listener.remove()
        } catch {
            fault.note(error.problem)
        }
    }

    /// Nil: it is to end.
    private func hear() -> [(number: UInt64, figures: DeviceFigures)]? {
        news.withLock { news in
            defer { news.figures = [] }
            return news.isClosed ? nil : news.figures
        }
    }

    private func ask(for number: UInt64) {
        source.ask { [self] figures in
            news.withLock { $0.figures.append((number, figures)) }
            ring()
        }
    }
}
