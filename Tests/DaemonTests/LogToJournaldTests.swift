import BusTesting
import Glibc
import Logging
import Supervisor
import Testing

@Suite("Logging to systemd's journal", .timeLimit(.minutes(1)))
struct LogToJournaldTests {
    /// Stands where journald listens.
    private final class Listener {
        let path: String
        private let descriptor: Int32

        init() throws {
            var template = Array("/tmp/baton-journald-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { throw TestingError("no temporary folder") }
            path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/socket"
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

        deinit {
            close(descriptor)
            unlink(path)
            rmdir(path.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 })
        }

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

    private var ownStream: String {
        var status = stat()
        fstat(STDERR_FILENO, &status)
        return "\(status.st_dev):\(status.st_ino)"
    }

    @Test func `metadata become fields, and no value can forge another`() throws {
        let listener = try Listener()
        let handler = try #require(LogToJournald(identifier: "batond", stream: ownStream, path: listener.path))
        let log = Logger(label: "batond") { _ in handler }
        log.error("an app is disabled", metadata: ["app.id": "x\nPRIORITY=0\nMESSAGE=forged"])
        let fields = try listener.fields()
        #expect(fields["PRIORITY"] == "3")
        #expect(fields["SYSLOG_IDENTIFIER"] == "batond")
        #expect(fields["BATON_APP_ID"] == "x\nPRIORITY=0\nMESSAGE=forged")
        #expect(fields["MESSAGE"]?.hasPrefix("an app is disabled") == true)
    }

    @Test func `a standard error that is not the journal's is left alone`() throws {
        let listener = try Listener()
        #expect(LogToJournald(identifier: "batond", stream: nil, path: listener.path) == nil)
        #expect(LogToJournald(identifier: "batond", stream: "1:2", path: listener.path) == nil)
        #expect(LogToJournald(identifier: "batond", stream: ownStream, path: "/nowhere/socket") == nil)
    }
}
