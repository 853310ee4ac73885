import BusTesting
import FolderTesting
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
        names(in: "/proc").compactMap { Int32($0) }.compactMap { pid in
            guard contents("/proc/\(pid)/environ")?.contains(folder) == true, Puppet.isRunning(pid) else { return nil }
            let command = (contents("/proc/\(pid)/cmdline") ?? "").replacing("\0", with: " ")
            return command.contains("/baton") ? nil : command
        }
    }
}
