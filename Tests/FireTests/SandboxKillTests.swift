import Baton
import DBus
import FolderTesting
import Glibc
import TerminalTesting
import Testing

/// Apps that the agent itself has started, for one turn.
@Suite("The agent killed at every step of ending the apps that it started", .serialized, .timeLimit(.minutes(8)))
struct SandboxKillTests {
    private static let app = "org.example.Managed"

    @Test func `nothing of them runs in a device that is ready`() async throws {
        let names = Tally()
        let proofs = Tally()
        try await Lanes.each { step in
            let (name, proof) = try await Self.round("\(step):sandbox:")
            proofs.add(proof)
            if let name { names.add(name) }
            return name != nil
        }
        // The agent also tries what this machine can do, so that a step may come sooner or later than in the round before.
        let proof = try #require(proofs.names.first.flatMap(Proof.init(rawValue:)))
        for name in names.missing(Self.steps(proof)) {
            if let name = try await Self.round("1:\(name)").name { names.add(name) }
        }
        print("the agent was killed at \(names.sum) steps of ending what it had started, proof: \(proofs.names)")
        let missing = names.missing(Self.steps(proof))
        #expect(missing == [], "\(proofs.names): \(names.names)")
    }

    /// Those that every machine with this proof goes through.
    private static func steps(_ proof: Proof) -> [String] {
        let usual = [
            "sandbox: before any is ended", "sandbox: after all were ended", "sandbox: before its note is removed",
        ]
        let own =
            switch proof {
            case .namespace: ["before its first process is killed", "after its first process was killed"]
            case .cgroup: ["before a control group is killed", "after a control group was killed"]
            case .tree: ["before its reaper is told to end", "after its reaper was told to end"]
            // batond ends a slice, and no sandbox of the agent's has that proof.
            case .pid, .slice: [String]()
            }
        return usual + own.map { "sandbox: " + $0 }
    }

    /// - Parameter order: The number of the step and a colon, then how those begin that count.
    /// - Returns: The step at which the agent was killed, nil when that was never due; and how the app's end was proven.
    private static func round(_ order: String) async throws -> (name: String?, proof: String) {
        let terminal = try Terminal(settings: Terminal.patient)
        // Nobody else has this word on its command line.
        let parts = order.split(separator: ":", maxSplits: 1).map(String.init)
        let word = order.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
        let mark = "started-under-fire-\(getpid())-\(word)"
        let script = "sh -c 'while :; do sleep 5; done' \(mark)-child & while :; do sleep 5; done"
        try terminal.write(
            "command: [/bin/sh, -c, \"\(script)\", \(mark)]\nautostart: true\n",
            to: "config/baton/apps.d/\(app).yaml")
        let file = "\(terminal.folder)/order"
        let daemon = try terminal.run(
            ["batond", "--session"], environment: ["BATON_KILL_AT": "baton-agent:\(parts[0]):\(file):\(parts[1])"])
        try await daemon.line(containing: "the agent has registered")
        let desk = try await Peer(terminal)
        var epoch = try await desk.signIn("ana", pin: "1234")
        let started = try await daemon.line(containing: "an app was started")
        let proof = Proof.allCases.first { started.contains("proof=\($0.rawValue)") }?.rawValue ?? started
        #expect(!processes(mark).isEmpty)
        let receipt = try await desk.receipt(epoch, or: desk.signOut())
        let name = contents(file)
        // What a killed agent had started ends with it or is ended by the next one.
        let what = "step \(order), \(name ?? "never"): \(receipt)"
        #expect(receipt.outcome == .cleared, "\(what)")
        #expect(processes(mark) == [], "\(what)")
        let left = names(in: "\(terminal.folder)/run/baton-agent").filter {
            $0.hasSuffix(".note") || $0.hasSuffix(".home")
        }
        #expect(left == [], "\(what)")
        // So short a turn that its app is still being started when it ends.
        epoch = try await desk.signIn("bo", pin: "5678")
        let short = try await desk.receipt(epoch, or: desk.signOut())
        #expect(short.outcome == .cleared, "\(what): \(short)")
        #expect(processes(mark) == [], "\(what): \(short)")
        await daemon.kill()
        return (name, proof)
    }

    /// Those with a word on their command lines that run.
    private static func processes(_ mark: String) -> [Int32] {
        names(in: "/proc").compactMap { Int32($0) }.filter { pid in
            contents("/proc/\(pid)/cmdline")?.contains(mark) == true && Puppet.isRunning(pid)
        }
    }
}
