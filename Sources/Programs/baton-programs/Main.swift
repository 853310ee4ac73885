import BatonAgentProgram
import BatonctlProgram
import BatondProgram
import Glibc

/// The three programs in one file, as they are installed: each of their names is a link to it, and what they share, most of all
/// Swift's own libraries, lies on the disk and in memory once.
@main struct Main {
    static func main() async {
        switch name {
        case "batond": runBatond()
        case "baton-agent": runBatonAgent()
        case "batonctl": await runBatonctl()
        default:
            let line = "This is batond, baton-agent and batonctl in one file: start it by one of these names.\n"
            _ = write(STDERR_FILENO, line, line.utf8.count)
            exit(64)
        }
    }

    /// That of the link by which it was started. What a caller gives as the program's name does not count while /proc says it.
    private static var name: Substring {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let path =
            count > 0
            ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            : CommandLine.arguments.first ?? ""
        return path.split(separator: "/").last ?? ""
    }
}
