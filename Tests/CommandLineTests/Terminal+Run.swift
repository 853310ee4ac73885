import BusTesting
import Glibc
import TerminalTesting
import Testing

extension Terminal {
    /// The options of `batonctl run` for each way in which it can hold its program together here.
    static let runWays = Permitted.namespaces ? [[], ["--no-namespace"]] : [["--no-namespace"]]
    static let runApp = "org.example.Wrapped"

    /// Starts `batonctl run` with a script, which writes to `$DATA`; that is wiped.
    ///
    /// - Parameter wrapper: Runs it, as the command that follows.
    func startRun(_ script: String, _ options: [String] = [], in wrapper: [String] = []) throws -> Program {
        try run(
            wrapper + ["\(Self.binaries)/batonctl", "run", "--app", Self.runApp, "--wipe", "\(folder)/data"] + options
                + ["--", "sh", "-c", script],
            environment: ["DATA": "\(folder)/data"])
    }

    func signIn(_ name: String = "ana") async throws {
        let (status, output) = try await batonctl(
            "sign-in", name, "--pin-stdin", input: name == "ana" ? "1234" : "5678")
        try #require(status == 0, "\(output)")
    }

    /// The command lines of processes that have its folder in their environment, apart from Baton's own.
    var processesOfRun: [String] {
        guard let pids = try? names(in: "/proc").compactMap({ Int32($0) }) else { return [] }
        return pids.compactMap { pid in
            guard text("/proc/\(pid)/environ").contains(folder), Puppet.isRunning(pid) else { return nil }
            let command = text("/proc/\(pid)/cmdline")
            return command.contains("/baton") ? nil : command
        }
    }
}

private func text(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count).map { $0 == 0 ? 32 : $0 }, as: UTF8.self)
}

/// The names in a folder, sorted.
func names(in folder: String) throws -> [String] {
    guard let stream = opendir(folder) else { throw TestingError("cannot read \(folder)") }
    defer { closedir(stream) }
    var result: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { result.append(name) }
    }
    return result.sorted()
}
