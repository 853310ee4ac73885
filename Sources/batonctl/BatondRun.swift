import DBus
import FoundationEssentials
import Glibc
import Subprocess
import SystemPackage

/// A batond that is started for one answer, such as what it thinks of the settings; on a terminal as the user that it always runs
/// as, who has to be able to read them.
struct BatondRun {
    /// Nil: a signal ended it.
    var exitCode: Int32?
    var output = ""
    /// What it wrote to standard error.
    var lines: [String] = []

    /// - Parameters:
    ///   - batond: Its program.
    ///   - isSystem: Whether the settings are the terminal's.
    init(_ batond: String, _ arguments: [String], isSystem: Bool) async throws {
        var (program, arguments) = (batond, arguments + [isSystem ? "--system" : "--session"])
        // Subprocess can change the user itself, but not in a process with threads: glibc's setuid() waits for them all, and
        // in the child that Subprocess makes without fork() they are still counted.
        if let service = Self.service(isSystem: isSystem), let setpriv = ProgramPath.find("setpriv") {
            arguments = ["--reuid=\(service)", "--regid=\(service)", "--init-groups", program] + arguments
            program = setpriv
        }
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: Arguments(arguments), input: .none,
            output: .string(limit: 1 << 20), error: .string(limit: 65536))
        if case .exited(let code) = result.terminationStatus { exitCode = code }
        output = result.standardOutput
        lines = result.standardError.split(separator: "\n").map(String.init)
    }

    /// What it printed as one JSON object; nil: it printed none, as one of another version.
    func answer<Value: Decodable>(_ type: Value.Type) -> Value? {
        try? JSONDecoder().decode(Value.self, from: Data(output.utf8))
    }

    /// As whom root has it run.
    static func service(isSystem: Bool) -> String? {
        let name = "baton"
        return isSystem && geteuid() == 0 && UserName.id(of: name) != nil ? name : nil
    }
}
