import Baton
import BusTesting
import DBus
import Glibc
import TerminalTesting

/// batond beside a server in C on bare libdbus that answers the same calls and keeps nothing.
///
/// One client in C measures both, in turn, on the same bus: what disturbs the machine disturbs both, so the ratios mean
/// something where the times do not.
struct FloorTimes {
    /// How many times as often as usual.
    let scale: Double

    private static let floor = "org.baton.Floor"
    /// Memory, so that no disk is measured.
    static let state = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"

    func run() async throws {
        let terminal = try Terminal(settings: Self.settings, in: Self.state)
        print("Beside a server in C on bare libdbus, in turn, state in \(Self.state):")
        try await starts(on: terminal)
        let floor = try terminal.run(["baton-floor", "serve", terminal.bus.rawAddress, Self.floor])
        defer { withExtendedLifetime(floor) {} }
        let daemon = try await terminal.startDaemon(agent: false)
        let connection = try await terminal.connect()
        for try await owner in try await connection.owners(of: "org.baton.Floor") where owner != nil { break }
        try await calls(on: terminal)
        for participants in [1, 10, 100, 200] { try await signOuts(of: participants, on: terminal, daemon) }
        try await IdleWindows.print(of: daemon, atMost: 6)
    }

    /// Without an agent, which the floor has not either.
    private static let settings =
        "agent: {required: false, start: false}\nlimits: {participants: 1024, participants-per-user: 1024}\n"
        + Terminal.patient

    private func calls(on terminal: Terminal) async throws {
        let times = try await measure(
            terminal, ["calls", terminal.bus.rawAddress, "\(count(20_000))", Self.floor, Device1.busName.rawValue])
        for (name, place) in [("p50", \Row.median), ("p99", \Row.late)] {
            let (base, own) = (times.floor[keyPath: place], times.own[keyPath: place])
            print(
                "  GetDeviceMode \(name): \(micro(base)) us in C, \(micro(own)) us here, "
                    + judged(own, over: base, target: 1.25))
        }
    }

    private func signOuts(of participants: Int, on terminal: Terminal, _ daemon: Program) async throws {
        let before = Self.journalTimes(daemon).count
        let rounds = count(participants < 100 ? 100 : 40)
        let times = try await measure(
            terminal,
            [
                "rounds", terminal.bus.rawAddress, "\(rounds)", "\(participants)", "1234", Self.floor,
                Device1.busName.rawValue,
            ])
        let journal = Self.journalTimes(daemon).dropFirst(before).sorted()
        let writes = journal.isEmpty ? 0 : journal[journal.count / 2] * 1000
        let (base, own) = (times.floor.median, times.own.median)
        print(
            "  sign-out of \(participants): \(micro(base)) us in C, \(micro(own)) us here, of which \(micro(writes)) us are "
                + "the journal's own; without them "
                + judged(own > writes ? own - writes : 0, over: base, target: 1.3))
    }

    private func starts(on terminal: Terminal) async throws {
        let address = terminal.bus.rawAddress
        let times = try await measure(
            terminal,
            [
                "starts", address, "\(count(20))", Self.floor, "\(Terminal.binaries)/baton-floor", "serve", address,
                Self.floor, "--", Device1.busName.rawValue, "\(Terminal.binaries)/batond", "--session",
            ])
        let more = times.own.median > times.floor.median ? times.own.median - times.floor.median : 0
        print(
            "  from exec to the name: \(micro(times.floor.median)) us in C, \(micro(times.own.median)) us here, "
                + "\(more / 1_000_000) ms more, target 60 ms more\(more <= 60_000_000 ? "" : "   over it")")
    }

    // MARK: Reading what was measured

    private struct Row {
        /// Nanoseconds.
        var median: UInt64
        var late: UInt64
    }

    private func measure(_ terminal: Terminal, _ words: [String]) async throws -> (floor: Row, own: Row) {
        let program = try terminal.run(["baton-floor"] + words)
        let status = await program.end()
        var rows: [String: Row] = [:]
        for line in program.output.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 4, let median = UInt64(parts[2]), let late = UInt64(parts[3]) else { continue }
            rows[String(parts[0])] = Row(median: median, late: late)
        }
        guard status == 0, let floor = rows[Self.floor], let own = rows[Device1.busName.rawValue] else {
            throw FloorFault("baton-floor \(words.first ?? ""): \(program.output)")
        }
        return (floor, own)
    }

    /// What each sign-out's log line says of the journal, in microseconds.
    private static func journalTimes(_ daemon: Program) -> [UInt64] {
        let key = "journal-microseconds="
        return daemon.output.split(separator: "\n").compactMap { line in
            guard line.contains("the worker is signed out") else { return nil }
            return line.split(separator: " ").first { $0.hasPrefix(key) }.flatMap { UInt64($0.dropFirst(key.count)) }
        }
    }

    private func count(_ usual: Int) -> Int { max(3, Int(Double(usual) * scale)) }

    private func micro(_ nanoseconds: UInt64) -> UInt64 { nanoseconds / 1000 }

    private func judged(_ own: UInt64, over base: UInt64, target: Double) -> String {
        let ratio = Double(own) / Double(max(1, base))
        let shown = (ratio * 100).rounded() / 100
        return "\(shown) times, target \(target)\(ratio <= target ? "" : "   over it")"
    }
}

struct FloorFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
