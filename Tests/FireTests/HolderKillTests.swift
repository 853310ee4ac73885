import Baton
import BusTesting
import DBus
import FolderTesting
import Glibc
import Synchronization
import TerminalTesting
import Testing

/// What a turn leaves where all programs leave things, and what stands in no list.
///
/// Root's processes are never strays, so each terminal belongs to a user who has nothing else on this machine. Nobody else's
/// files and processes are touched then, also where they are in the same folders.
@Suite(
    "The agent killed at every step of clearing what all programs share", .serialized, .timeLimit(.minutes(8)),
    .enabled("needs to become other users, who can run the programs") { await KioskUsers.areThere() })
struct HolderKillTests {
    /// At which of the steps that begin so; what is done at the same time has no order of its own.
    private static let orders = [
        "1:asked to clear shared holders", "1:after the sandboxes ended", "1:after clipboard was cleared",
        "1:after downloads was cleared", "1:after recent-files was cleared", "1:after thumbnails was cleared",
        "1:in the middle of a wipe", "1:after the shared holders were cleared", "1:before a stray is ended",
        "1:after a stray was ended", "2:before a stray is ended",
        // Downloads and thumbnails have three files, so this one is a stray.
        "4:in the middle of a wipe", "1:after the strays were ended", "1:before the answer about shared holders",
        "1:before the waiters are ended", "1:after the waiters were ended",
    ]

    @Test func `what the receipt says is gone is gone, and the next worker finds nothing`() async throws {
        let names = Tally()
        let quarantined = Tally()
        try await Lanes.each { step in
            guard step <= Self.orders.count else { return false }
            try await KioskUsers.lend { user in
                try await Self.round(Self.orders[step - 1], as: user, names, quarantined)
            }
            return true
        }
        print("the agent was killed at \(names.sum) steps of clearing what is shared; \(quarantined.sum) not cleared")
        let beginnings = Self.orders.map { String($0.drop { $0 != ":" }.dropFirst()) }
        #expect(names.missing(beginnings) == [], "\(names.names)")
        #expect(names.sum == Self.orders.count, "\(names.names)")
        #expect(quarantined.sum <= Self.orders.count / 4, "\(quarantined.names)")
    }

    @Test func `a participant that was started in the turn and stands in no file ends with it, whatever it said`()
        async throws
    {
        try await KioskUsers.lend { user in
            let terminal = try Terminal(apps: ["org.example.Listed": "name: Listed\n"], isOpen: true)
            try terminal.configure(Self.settings(terminal))
            let giving = try terminal.run(["chown", "-R", "\(user):", terminal.folder])
            #expect(await giving.end() == 0, "\(giving.output)")
            let identity = KioskUsers.identity(user)
            let daemon = try terminal.run(identity + ["\(Terminal.binaries)/batond", "--session"])
            try await daemon.line(containing: "the agent has registered")
            func participant(_ app: String) async throws -> Program {
                let program = try terminal.run(identity + ["\(Terminal.binaries)/batonctl", "participate", app])
                try await program.line(containing: "participate: ready")
                return program
            }
            let desk = try await Peer(terminal)
            let resident = try await participant("org.example.Resident")
            try await desk.signIn("ana", pin: "1234")
            let listed = try await participant("org.example.Listed")
            let sneak = try await participant("org.example.Sneak")
            let receipt = try #require(try await desk.signOut())
            let apps = Dictionary(uniqueKeysWithValues: receipt.participants.map { ($0.app, $0.outcome) })
            #expect(receipt.outcome == .cleared && apps["org.example.Sneak"] == .nothingToClear, "\(receipt)")
            #expect(!sneak.isRunning && listed.isRunning && resident.isRunning, "\(receipt)")
            let rows = Dictionary(uniqueKeysWithValues: receipt.shared.map { ($0.holder, $0) })
            #expect(rows["processes"]?.explanation.contains("(\(sneak.pid))") == true, "\(receipt)")
            // Only the resident app's own word says that it has nothing of hers.
            #expect(rows["earlier-processes"]?.outcome == .unchecked, "\(receipt)")
            #expect(rows["earlier-processes"]?.explanation.contains("batonctl (\(resident.pid))") == true, "\(receipt)")
            await daemon.kill()
        }
    }

    private static func settings(_ terminal: Terminal) -> String {
        // A walk through thousands of files that are no terminal's takes longer than a sign-out may: they are left out.
        let others = names(in: "/tmp").map { "/tmp/\($0)" }.filter {
            !$0.contains("/tmp/baton") && $0.allSatisfy { $0.isLetter || $0.isNumber || "/-_.".contains($0) }
        }
        let kept = (["\(terminal.folder)/state", "\(terminal.folder)/config"] + others).joined(separator: ", ")
        return Terminal.patient + """
            agent: {grace: 60s}
            shared-holders: {downloads: clear, recent-files: clear, thumbnails: clear}
            strays: {processes: end, files: end, keep: [\(kept)]}

            """
    }

    /// By the holder that clears them.
    private static func belongings(_ terminal: Terminal, outside: String) -> [String: [String]] {
        let home = "\(terminal.folder)/home"
        return [
            "downloads": ["\(home)/Downloads/letter.pdf", "\(home)/Downloads/private/more.pdf"],
            "thumbnails": ["\(home)/.cache/thumbnails/normal/letter.png"],
            "recent-files": ["\(home)/.local/share/recently-used.xbel"],
            "files": ["\(home)/notes.txt", outside],
        ]
    }

    private static let work = #"for file in "$@"; do mkdir -p "${file%/*}" && echo Ana >"$file" || exit 1; done"#
    private static let idler = ["sh", "-c", "echo up; exec sleep 1000"]

    private static func left(_ paths: [String]) -> [String] { paths.filter { access($0, F_OK) == 0 } }

    private static func round(
        _ order: String, as user: String, _ names: Tally, _ quarantined: Tally
    ) async throws {
        let parts = order.split(separator: ":", maxSplits: 1).map(String.init)
        let terminal = try Terminal(isOpen: true)
        try terminal.configure(settings(terminal))
        let outside = "/tmp/baton-left-behind-\(getpid())-\(user)"
        defer { unlink(outside) }
        let belongings = Self.belongings(terminal, outside: outside)
        let paths = belongings.values.flatMap(\.self)
        // The device's own: a file and a process that were there before the turn.
        mkdir("\(terminal.folder)/home/Downloads", 0o700)
        try terminal.write("how to use it", to: "home/Downloads/manual.pdf")
        let giving = try terminal.run(["chown", "-R", "\(user):", terminal.folder])
        #expect(await giving.end() == 0, "\(giving.output)")
        let identity = KioskUsers.identity(user)
        let resident = try terminal.run(identity + idler)
        try await resident.line(containing: "up")

        // Where it is no file of the turn.
        let file = "\(terminal.folder)/run/order"
        let daemon = try terminal.run(
            identity + ["\(Terminal.binaries)/batond", "--session"],
            environment: [
                "BATON_KILL_AT": "baton-agent:\(parts[0]):\(file):\(parts[1])",
                "XDG_DATA_HOME": "\(terminal.folder)/home/.local/share",
                "XDG_CACHE_HOME": "\(terminal.folder)/home/.cache",
            ])
        try await daemon.line(containing: "the agent has registered")
        let desk = try await Peer(terminal)
        let epoch = try await desk.signIn("ana", pin: "1234")
        let worker = try terminal.run(identity + ["sh", "-c", work, "sh"] + paths)
        #expect(await worker.end() == 0, "\(worker.output)")
        let strays = [try terminal.run(identity + idler), try terminal.run(identity + idler)]
        for stray in strays { try await stray.line(containing: "up") }
        let waiter = try await Puppet(terminal, user: user)

        // It may be ended before it has passed the answer on.
        _ = try? await waiter.peer.signOut()
        let receipt = try await desk.receipt(epoch, or: nil)
        // Those of the waiters come only now, while the device is ready, and the next worker needs an agent.
        if parts[1].contains("waiters") { try await daemon.line(containing: "the agent has registered", count: 2) }
        if let name = contents(file) { names.add(name) }
        let what = "step \(order), \(contents(file) ?? "never"): \(receipt)"
        let isCleared = receipt.outcome == .cleared
        if !isCleared {
            quarantined.add(order)
            #expect(receipt.outcome == .quarantined && !receipt.explanation.isEmpty, "\(what)")
        }
        for (holder, own) in belongings {
            let row = receipt.shared.first { $0.holder == holder }
            #expect(row?.outcome == .clean || !isCleared, "\(what)")
            if row?.outcome == .clean { #expect(left(own) == [], "\(what)") }
        }
        let processes = receipt.shared.first { $0.holder == "processes" }
        if isCleared {
            // Whoever waited is named, and all else is gone.
            #expect(processes?.explanation.contains("(\(waiter.program.pid))") == true, "\(what)")
            #expect(!strays.contains { $0.isRunning }, "\(what)")
        }

        if try await desk.phase() == "quarantined" { try await desk.leaveQuarantine() }
        try await desk.waitForPhase(.ready)
        let next = try await desk.signIn("bo", pin: "5678")
        if isCleared { #expect(left(paths) == [], "\(what)") }
        let second = try await desk.receipt(next, or: desk.signOut())
        #expect(second.outcome == .cleared, "\(what), then \(second)")
        let rows = second.shared.filter { ["processes", "files"].contains($0.holder) }
        #expect(rows.map(\.outcome) == [.clean, .clean], "\(what), then \(second)")
        #expect(!waiter.isRunning, "\(what), then \(second)")
        #expect(!strays.contains { $0.isRunning }, "\(what), then \(second)")
        #expect(resident.isRunning && terminal.exists("home/Downloads/manual.pdf"), "\(what), then \(second)")
        await daemon.kill()
    }
}

extension Program {
    fileprivate var isRunning: Bool { Puppet.isRunning(pid) }
}

/// Users of Debian's own as whom nothing runs, one for each terminal.
enum KioskUsers {
    private static let names = ["irc", "news", "uucp"]
    private static let free = Mutex(names)

    /// A package in a folder that is closed to others cannot be run by them.
    static func areThere() async -> Bool {
        guard geteuid() == 0 else { return false }
        for name in names {
            guard let program = try? Program(identity(name) + ["\(Terminal.binaries)/batond", "--version"]),
                await program.end() == 0
            else { return false }
        }
        return true
    }

    static func identity(_ user: String) -> [String] {
        ["setpriv", "--reuid", user, "--regid", user, "--init-groups"]
    }

    static func lend(_ body: (String) async throws -> Void) async throws {
        guard let user = free.withLock({ $0.popLast() }) else { throw TestingError("more terminals than users") }
        defer { free.withLock { $0.append(user) } }
        try await body(user)
    }
}
