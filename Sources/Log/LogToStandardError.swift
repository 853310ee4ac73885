import Glibc
import Logging

/// One line for each event on standard error; nothing that comes from outside can make it two.
struct LogToStandardError: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel: Logger.Level {
        get { own ?? control.level }
        set { own = newValue }
    }
    private var own: Logger.Level?
    private let control: LogControl

    init(control: LogControl) { self.control = control }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let pairs = LogText.pairs(event.metadata(over: metadata, metadataProvider))
        let words = [
            Self.time(), event.level.rawValue, control.identifier + ":", pairs, "[\(event.source)]",
            LogText.plain("\(event.message)"),
        ]
        let line = Array((words.filter { !$0.isEmpty }.joined(separator: " ") + "\n").utf8)
        // In one piece, so that lines of several threads stay whole.
        _ = write(STDERR_FILENO, line, line.count)
    }

    private static func time() -> String {
        var now = Glibc.time(nil)
        var local = tm()
        var buffer = [CChar](repeating: 0, count: 40)
        guard localtime_r(&now, &local) != nil else { return "" }
        let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%S%z", &local)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
