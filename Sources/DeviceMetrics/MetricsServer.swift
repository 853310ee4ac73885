import Glibc
import LinuxSystem

/// The connections of a `MetricsSocket`, on its thread.
///
/// There are few at a time, each has a few seconds, and further ones wait for a place: no caller can hold on to more.
struct MetricsServer {
    /// At a time.
    static let most = 16
    /// How long it takes no connection after the machine had no room for one.
    private static let pause = Duration.seconds(1)

    private let listener: MetricsListener
    private let bell: Descriptor
    private let patience: Duration
    private var connections: [MetricsConnection] = []
    private var pause: TimeLimit?
    private var lastNumber: UInt64 = 0

    init(_ listener: MetricsListener, bell: Descriptor, patience: Duration) {
        self.listener = listener
        self.bell = bell
        self.patience = patience
    }

    /// Serves until `hearing` gives nil.
    ///
    /// - Parameters:
    ///   - hearing: What came since the last time; the bell rings when something does.
    ///   - asking: Asks for the figures for a connection, which are heard later.
    mutating func run(
        hearing: () -> [(number: UInt64, figures: DeviceFigures)]?, asking: (UInt64) -> Void,
        text: (DeviceFigures) -> String
    ) {
        while true {
            let events = wait()
            guard let news = hearing() else { return }
            goOn(events, asking)
            for (number, figures) in news { answer(number, text(figures)) }
            connections.removeAll { $0.limit.isOver }
            if pause?.isOver == true { pause = nil }
            if events[listener.descriptor.raw] != nil { accept() }
        }
    }

    /// What happened, by descriptor. Without a connection it waits without an end.
    private func wait() -> [CInt: Int16] {
        var items = connections.map { pollfd(fd: $0.descriptor.raw, events: $0.events, revents: 0) }
        items.append(pollfd(fd: bell.raw, events: Int16(POLLIN), revents: 0))
        if connections.count < Self.most, pause == nil {
            items.append(pollfd(fd: listener.descriptor.raw, events: Int16(POLLIN), revents: 0))
        }
        let limits = connections.map(\.limit) + [pause].compactMap(\.self)
        let timeout = limits.map { $0.milliseconds(cap: 60_000) }.min() ?? -1
        guard poll(&items, nfds_t(items.count), timeout) > 0 else { return [:] }
        var events: [CInt: Int16] = [:]
        for item in items where item.revents != 0 { events[item.fd] = item.revents }
        if events[bell.raw] != nil {
            var bytes = [UInt8](repeating: 0, count: 64)
            while read(bell.raw, &bytes, bytes.count) == bytes.count {}
        }
        return events
    }

    private mutating func goOn(_ events: [CInt: Int16], _ asking: (UInt64) -> Void) {
        var remaining: [MetricsConnection] = []
        for var connection in connections {
            if let event = events[connection.descriptor.raw] {
                let before = connection.wait
                guard connection.goOn(event) else { continue }
                if before == .request, connection.wait == .figures { asking(connection.number) }
            }
            remaining.append(connection)
        }
        connections = remaining
    }

    private mutating func answer(_ number: UInt64, _ text: String) {
        // It may have gone meanwhile.
        guard let index = connections.firstIndex(where: { $0.number == number && $0.wait == .figures }) else { return }
        if !connections[index].answer(metrics: text) { connections.remove(at: index) }
    }

    private mutating func accept() {
        var isFull = false
        while connections.count < Self.most, let descriptor = listener.accept(isFull: &isFull) {
            lastNumber &+= 1
            connections.append(MetricsConnection(lastNumber, descriptor, limit: TimeLimit(patience)))
        }
        if isFull { pause = TimeLimit(Self.pause) }
    }
}
