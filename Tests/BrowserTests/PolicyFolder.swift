import BusTesting
import Glibc

/// What is `/etc/chromium` to a browser, with the policies that are shipped; gone with the object.
final class PolicyFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/baton-policies-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestingError("no folder") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        mkdir(path + "/policies", 0o755)
        mkdir(path + "/policies/managed", 0o755)
        let source = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        guard let from = fopen("/\(source)/packaging/chromium-policies.json", "r"),
            let to = fopen(path + "/policies/managed/baton.json", "w")
        else { throw TestingError("no policies") }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = fread(&buffer, 1, buffer.count, from)
        fwrite(buffer, 1, count, to)
        fclose(from)
        fclose(to)
    }

    deinit {
        unlink(path + "/policies/managed/baton.json")
        rmdir(path + "/policies/managed")
        rmdir(path + "/policies")
        rmdir(path)
    }
}
