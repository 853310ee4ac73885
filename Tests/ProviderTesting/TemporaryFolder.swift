import BusTesting
import Glibc

/// A folder under `/tmp` that goes with its owner, with all that is in it.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init(_ name: String) throws {
        var template = Array("/tmp/baton-\(name)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestingError("no temporary folder") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// Writes a file and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String, mode: UInt32 = 0o600) throws -> String {
        let place = "\(path)/\(name)"
        let file = open(place, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard file >= 0 else { throw TestingError("cannot write \(place)") }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw TestingError("cannot write \(place)") }
        return place
    }

    public func read(_ name: String) throws -> String {
        guard let file = fopen("\(path)/\(name)", "r") else { throw TestingError("cannot read \(path)/\(name)") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var byte = fgetc(file)
        while byte != EOF, bytes.count < 1 << 20 {
            bytes.append(UInt8(truncatingIfNeeded: byte))
            byte = fgetc(file)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Links are removed and not followed.
    private static func remove(_ folder: String) {
        guard let directory = opendir(folder) else { return }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            let path = folder + "/" + name
            if Int(entry.pointee.d_type) == Int(DT_DIR) { remove(path) } else { unlink(path) }
        }
        closedir(directory)
        rmdir(folder)
    }
}

/// Runs a tool to its end and returns what it printed.
@discardableResult
func run(_ arguments: [String]) async throws -> String {
    let (output, status) = await (try ChildProcess(arguments)).end()
    guard status == 0 else { throw TestingError("\(arguments.first ?? "") ended with \(status): \(output)") }
    return output
}
