import Glibc
public import LinuxSystem
public import Processes
import Vocabulary

/// The workers' jobs in the CUPS scheduler: those that wait or print are cancelled, and of all of them titles and documents go.
public struct PrintJobsHolder: SharedHolder {
    public let name = "print-jobs"
    private let launcher: Launcher
    private let users: [String]
    private let tools: String
    private let server: String?

    /// - Parameters:
    ///   - users: The names under which programs of workers print.
    ///   - tools: The folder of `lpstat`.
    ///   - server: A socket's path or `host:port`; nil: what the system's settings of CUPS say.
    public init(launcher: Launcher, users: [String], tools: String = "/usr/bin", server: String? = nil) {
        self.launcher = launcher
        self.users = users
        self.tools = tools
        self.server = server
    }

    public func warning() async -> String? { nil }

    public func clear(_ turn: TurnStart, limit: TimeLimit) async -> HolderReport {
        do {
            guard access(tools + "/lpstat", X_OK) == 0 else { throw Stop(.unchecked, "no CUPS client is installed") }
            // The scheduler hides whose they are from others, and not that they are there.
            let all = try await jobs(limit)
            if all.isEmpty { return HolderReport(name, .clean) }
            let socket = try await socket(limit)
            var removed = 0
            for user in users {
                let own = try await jobs(of: user, limit)
                for job in own where !limit.isOver {
                    _ = await OwnThread.run(limit: limit) {
                        PrintJobPurge(job: job, user: user).send(to: socket, limit: limit)
                    }
                }
                guard !own.isEmpty else { continue }
                let left = try await jobs(of: user, limit).count
                if left > 0 { throw Stop(.failed, "\(left) print jobs are still there") }
                removed += own.count
            }
            let others = Set(try await jobs(limit)).intersection(all).count
            // A client says itself whose its job is.
            if others > 0 { throw Stop(.unchecked, "\(removed) removed, \(others) of other users stay") }
            return HolderReport(name, .clean, "\(removed) removed")
        } catch let stop as Stop {
            return HolderReport(name, stop.outcome, stop.explanation)
        } catch {
            return HolderReport(name, .failed, "\(error)")
        }
    }

    private struct Stop: Error {
        let outcome: CheckOutcome
        let explanation: String

        init(_ outcome: CheckOutcome, _ explanation: String) {
            self.outcome = outcome
            self.explanation = explanation
        }
    }

    /// The numbers of jobs in any state.
    ///
    /// - Parameter user: Nil: of all users.
    private func jobs(of user: String? = nil, _ limit: TimeLimit) async throws -> [Int32] {
        let output = try await lpstat(user.map { ["-U", $0, "-W", "all", "-u", $0] } ?? ["-W", "all", "-o"], limit)
        // `queue-12   user   1024   Sun Nov 22 …`: the name of a queue has no spaces.
        return output.split(whereSeparator: \.isNewline).compactMap { line in
            guard let first = line.split(separator: " ").first, let dash = first.lastIndex(of: "-") else { return nil }
            return Int32(first[first.index(after: dash)...])
        }
    }

    /// The scheduler's socket. The tools cannot purge: `cancel -x` of Debian 12 sends an attribute that the scheduler does not
    /// know, and purging all jobs is for administrators.
    private func socket(_ limit: TimeLimit) async throws -> String {
        let path = try await lpstat(["-H"], limit).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard path.hasPrefix("/") else {
            throw Stop(.failed, "print jobs are kept by another machine, \(printable(path))")
        }
        return path
    }

    private func lpstat(_ arguments: [String], _ limit: TimeLimit) async throws -> String {
        // Without the home folder: a worker's `~/.cups/client.conf` could name another server.
        var environment = ["LC_ALL": "C", "PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
        environment["CUPS_SERVER"] = server
        let run = ToolRun([tools + "/lpstat"] + arguments, environment: environment)
        switch try await run.run(by: launcher, limit: limit) {
        case .ended(0, let output): return output
        case .ended(_, let output) where output.contains("Scheduler is not running"):
            throw Stop(.unchecked, "the print scheduler does not run")
        case .ended(let status, _): throw Stop(.failed, "lpstat ended with \(status)")
        case .late: throw Stop(.failed, "the print scheduler did not answer in time")
        case .tooLong: throw Stop(.failed, "too many print jobs")
        }
    }

    private func printable(_ text: String) -> String { EntryName(text.prefix(80)).text }
}
