import Baton
import BusTesting
import DBus
import FolderTesting
import Glibc
import TerminalTesting
import Testing

/// A turn begins when batond says so, whatever the agent heard of it, and when.
@Suite(
    "An agent that knows nothing of a turn's begin", .timeLimit(.minutes(3)),
    .enabled("needs to become other users, who can run the programs") { await KioskUsers.areThere() })
struct TurnBeginTests {
    enum Agent: CaseIterable {
        /// Stopped while the worker signs in, as on a busy machine.
        case late
        /// Killed, and somebody has written another begin into its folder.
        case misled
    }

    @Test(arguments: Agent.allCases)
    func `misses nothing of what was started and written in it`(agent: Agent) async throws {
        try await KioskUsers.lend { user in try await Self.turn(user, agent) }
    }

    private static func turn(_ user: String, _ agent: Agent) async throws {
        let terminal = try Terminal(isOpen: true)
        try terminal.configure(
            Terminal.patient + "agent: {grace: 60s}\n"
                + "strays: {processes: end, files: end, keep: [\(terminal.folder)/state, \(terminal.folder)/config]}\n")
        let giving = try terminal.run(["chown", "-R", "\(user):", terminal.folder])
        #expect(await giving.end() == 0, "\(giving.output)")
        let identity = KioskUsers.identity(user)
        let daemon = try terminal.run(identity + ["\(Terminal.binaries)/batond", "--session"])
        try await daemon.line(containing: "the agent has registered")
        let process = try #require(Self.child(of: daemon.pid, named: "baton-agent"))
        if agent == .late { kill(process, SIGSTOP) }
        let desk = try await Peer(terminal)
        let epoch = try await desk.signIn("ana", pin: "1234")
        let file = "\(terminal.folder)/home/notes.txt"
        let stray = try terminal.run(identity + ["sh", "-c", #"echo Ana >"$0"; echo up; exec sleep 1000"#, file])
        try await stray.line(containing: "up")
        switch agent {
        case .late: kill(process, SIGCONT)
        case .misled:
            let ticks = (Self.bootTime() + 1) * sysconf(CInt(_SC_CLK_TCK))
            let note = "\(epoch) \(time(nil) + 1)000000000 \(ticks)"
            let script = #"mkdir -p "$0" && echo "$1" >"$0/turn""#
            let writer = try terminal.run(
                identity + ["sh", "-c", script, "\(terminal.folder)/run/baton-agent", note])
            #expect(await writer.end() == 0, "\(writer.output)")
            kill(process, SIGKILL)
            try await daemon.line(containing: "the agent has registered", count: 2)
        }
        let receipt = try await desk.receipt(epoch, or: desk.signOut())
        #expect(receipt.outcome == .cleared, "\(receipt)")
        let processes = receipt.shared.first { $0.holder == "processes" }
        #expect(processes?.explanation.contains("(\(stray.pid))") == true, "\(receipt)")
        #expect(!Puppet.isRunning(stray.pid))
        #expect(access(file, F_OK) != 0, "\(receipt)")
        await daemon.kill()
    }

    private static func child(of parent: Int32, named name: String) -> Int32? {
        names(in: "/proc").compactMap { Int32($0) }.first { pid in
            let words = contents("/proc/\(pid)/stat")?.split(separator: ")").last?.split(separator: " ")
            return words?.dropFirst().first == "\(parent)" && contents("/proc/\(pid)/comm") == "\(name)\n"
        }
    }

    /// Seconds.
    private static func bootTime() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return Int(now.tv_sec)
    }
}
