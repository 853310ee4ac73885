package import Logging

extension Logger {
    /// The metadata key under which a line carries the id of its kind.
    static let eventKey = "message-id"

    /// Writes a line that can be found by the kind of what happened.
    package func tell(
        _ event: EventID, _ level: Level, _ message: @autoclosure () -> Message,
        _ metadata: @autoclosure () -> Metadata = [:], file: String = #fileID, function: String = #function,
        line: UInt = #line
    ) {
        guard level >= logLevel else { return }
        var all = metadata()
        all[Self.eventKey] = "\(event.rawValue)"
        log(level: level, message(), metadata: all, file: file, function: function, line: line)
    }
}
