import Baton
import DBus
import FolderTesting
import Glibc
import TerminalTesting

/// An app that cannot clear, so that the agent must stop it and wipe what it has: a process with a child, and files.
struct ContainedApp {
    static let id = "org.example.Failing"

    private let terminal: Terminal
    private let puppet: Puppet
    private let registration: Peer.Registration
    private var folder: String { "\(terminal.folder)/data/failing" }

    static func list(on terminal: Terminal) throws {
        try terminal.write("wipe: [\(terminal.folder)/data/failing]\n", to: "config/baton/apps.d/\(id).yaml")
        mkdir("\(terminal.folder)/data/failing", 0o700)
    }

    init(_ terminal: Terminal) async throws {
        self.terminal = terminal
        puppet = try await Puppet(terminal, child: true)
        registration = try await puppet.peer.register(Self.id)
    }

    func work() throws {
        for depth in 1...3 {
            let below = "data/failing" + String(repeating: "/more", count: depth)
            mkdir("\(terminal.folder)/\(below)", 0o700)
            for name in ["a", "b"] { try terminal.write("Ana's", to: "\(below)/\(name)") }
        }
    }

    /// It may be stopped before it hears the answer, or batond be killed before it gives one.
    func giveUp(_ epoch: Epoch) async {
        try? await puppet.peer.acknowledge(epoch, registration.instance, "failed")
    }

    /// What is left of it, where nothing may be.
    var remains: [String] {
        let processes = [puppet.program.pid, puppet.child ?? 0].filter { $0 > 0 && Puppet.isRunning($0) }.map {
            "process \($0)"
        }
        return processes + names(in: folder)
    }

    func end() async {
        if let child = puppet.child, Puppet.isRunning(child) { kill(child, SIGKILL) }
        await puppet.program.kill()
    }
}
