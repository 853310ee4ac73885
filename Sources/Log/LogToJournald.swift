import Glibc
public import Logging

/// A log handler that speaks journald's native protocol, so that metadata become fields.
///
/// Values travel with their length, and what could end a line where they are shown is written as its code, so no user
/// name or path can forge a line or a field.
/// https://systemd.io/JOURNAL_NATIVE_PROTOCOL/
public struct LogToJournald: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    public var logLevel: Logger.Level {
        get { own ?? control.level }
        set { own = newValue }
    }
    private var own: Logger.Level?
    private let control: LogControl
    private let socket: JournaldSocket

    /// Nil when standard error is not the journal's, or its socket cannot be opened.
    ///
    /// - Parameter stream: `JOURNAL_STREAM` of the environment: device and inode of the stream that systemd connected.
    public init?(control: LogControl, stream: String?, path: String = "/run/systemd/journal/socket") {
        var status = stat()
        guard let stream, fstat(STDERR_FILENO, &status) == 0, stream == "\(status.st_dev):\(status.st_ino)",
            let socket = JournaldSocket(path: path)
        else { return nil }
        self.control = control
        self.socket = socket
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let all = event.metadata(over: metadata, metadataProvider)
        var bytes: [UInt8] = []
        let rest = LogText.pairs(all)
        let message = LogText.plain("\(event.message)")
        Self.append("MESSAGE", rest.isEmpty ? message : "\(message) (\(rest))", to: &bytes)
        Self.append("PRIORITY", "\(event.level.priority)", to: &bytes)
        Self.append("SYSLOG_IDENTIFIER", control.identifier, to: &bytes)
        Self.append("CODE_FILE", event.file, to: &bytes)
        Self.append("CODE_LINE", "\(event.line)", to: &bytes)
        for (key, value) in all {
            if key == Logger.eventKey {
                Self.append("MESSAGE_ID", "\(value)", to: &bytes)
            } else {
                Self.append("BATON_" + Self.fieldName(key), LogText.plain("\(value)"), to: &bytes)
            }
        }
        socket.send(bytes)
    }

    static func fieldName(_ key: String) -> String {
        String(
            key.uppercased().utf8.prefix(50).map { byte in
                let isPlain = (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                return isPlain ? Character(UnicodeScalar(byte)) : "_"
            })
    }

    /// The form with a length, which takes any value.
    static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        bytes += name.utf8
        bytes.append(0x0A)
        withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes += $0 }
        bytes += value.utf8
        bytes.append(0x0A)
    }
}
