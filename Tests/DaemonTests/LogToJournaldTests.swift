import BusTesting
import FolderTesting
import Glibc
import Log
import Logging
import Testing

@Suite("Logging to systemd's journal", .timeLimit(.minutes(1)))
struct LogToJournaldTests {
    /// Stands where journald listens.
    private final class Listener {
        private let folder: TemporaryFolder
        private let descriptor: Int32
        var path: String { folder.path(of: "socket") }

        init() throws {
            folder = try TemporaryFolder("journald")
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard bound == 0 else { throw TestingError("no socket") }
        }

        deinit { close(descriptor) }

        /// The fields of the next message, each read by its length.
        func fields() throws -> [String: String] {
            var buffer = [UInt8](repeating: 0, count: 65536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw TestingError("nothing came") }
            var rest = buffer.prefix(count)
            var fields: [String: String] = [:]
            while let end = rest.firstIndex(of: 0x0A) {
                let name = String(decoding: rest[..<end], as: UTF8.self)
                let size = rest[(end + 1)...].prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                let value = rest[(end + 9)...].prefix(size)
                fields[name] = String(decoding: value, as: UTF8.self)
                rest = rest[(end + 9)...].dropFirst(size + 1)
            }
            return fields
        }
    }

    private static let control = LogControl(identifier: "batond", level: .info)

    private var ownStream: String {
        var status = stat()
        fstat(STDERR_FILENO, &status)
        return "\(status.st_dev):\(status.st_ino)"
    }

    @Test func `metadata become fields, and no value can forge another`() throws {
        let listener = try Listener()
        let handler = try #require(LogToJournald(control: Self.control, stream: ownStream, path: listener.path))
        let log = Logger(label: "batond") { _ in handler }
        log.error("an app is disabled", metadata: ["app.id": "x\nPRIORITY=0\nMESSAGE=forged"])
        let fields = try listener.fields()
        #expect(fields["PRIORITY"] == "3")
        #expect(fields["SYSLOG_IDENTIFIER"] == "batond")
        #expect(fields["BATON_APP_ID"] == #"x\u{a}PRIORITY=0\u{a}MESSAGE=forged"#)
        #expect(fields["MESSAGE"] == #"an app is disabled (app.id="x\\u{a}PRIORITY=0\\u{a}MESSAGE=forged")"#)
        #expect(fields["MESSAGE_ID"] == nil)
    }

    @Test(arguments: [
        "a\nb", "a\r\nb", "a\u{0}b", "a\u{1B}[2Jb", "a\u{7F}b", "a\u{85}b", "a\u{2028}b", "a\u{202E}b", "a\u{2066}b",
    ])
    func `whatever a text brings, it stays on its line`(text: String) throws {
        let listener = try Listener()
        let handler = try #require(LogToJournald(control: Self.control, stream: ownStream, path: listener.path))
        let log = Logger(label: "batond") { _ in handler }
        log.error("\(text)", metadata: ["app": "\(text)", "x\nPRIORITY": "0"])
        let fields = try listener.fields()
        #expect(fields["PRIORITY"] == "3")
        #expect(fields["BATON_X_PRIORITY"] == "0")
        for field in ["MESSAGE", "BATON_APP"] {
            let shown = try #require(fields[field])
            #expect(shown.contains("a") && shown.contains("b") && shown.contains(#"\u{"#))
            #expect(
                shown.unicodeScalars.allSatisfy {
                    ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
                })
        }
    }

    @Test func `a value with spaces is no second value`() throws {
        let listener = try Listener()
        let handler = try #require(LogToJournald(control: Self.control, stream: ownStream, path: listener.path))
        let log = Logger(label: "batond") { _ in handler }
        log.error("signed out", metadata: ["account": #"a" outcome=cleared"#, "outcome": "owed"])
        #expect(
            try listener.fields()["MESSAGE"] == #"signed out (account="a\" outcome=cleared" outcome=owed)"#)
    }

    @Test func `each kind of event has an id of its own, which becomes the journal's field`() throws {
        #expect(Set(EventID.allCases.map(\.rawValue)).count == EventID.allCases.count)
        for event in EventID.allCases {
            #expect(event.rawValue.utf8.count == 32 && UInt64(event.rawValue.prefix(16), radix: 16) != nil)
        }
        let listener = try Listener()
        let handler = try #require(LogToJournald(control: Self.control, stream: ownStream, path: listener.path))
        let log = Logger(label: "batond") { _ in handler }
        log.info("signed out", metadata: ["message-id": "\(EventID.signedOut.rawValue)", "epoch": "7"])
        let fields = try listener.fields()
        #expect(fields["MESSAGE_ID"] == EventID.signedOut.rawValue)
        #expect(fields["BATON_EPOCH"] == "7")
        #expect(fields["MESSAGE"] == "signed out (epoch=7)")
    }

    @Test func `every id stands in the page for administrators with the line that finds it`() throws {
        let package = #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }
        let text = try #require(contents(package + "/docs/administering.md"))
        for event in EventID.allCases { #expect(text.contains("`\(event.rawValue)`"), "\(event)") }
        #expect(text.contains("journalctl MESSAGE_ID="))
    }

    @Test func `a standard error that is not the journal's is left alone`() throws {
        let listener = try Listener()
        #expect(LogToJournald(control: Self.control, stream: nil, path: listener.path) == nil)
        #expect(LogToJournald(control: Self.control, stream: "1:2", path: listener.path) == nil)
        #expect(LogToJournald(control: Self.control, stream: ownStream, path: "/nowhere/socket") == nil)
    }
}
