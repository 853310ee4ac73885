import Glibc
import LinuxSystem
import TerminalTesting
import Testing
import TurnControl

/// With systemd's own program that accepts as PID 1 does; the users and the slice are the booted terminal's part.
@Suite("A program of a turn", .serialized, .timeLimit(.minutes(2)))
struct TurnProgramTests {
    private let terminal: Terminal
    private let number: TurnNumber
    private let acceptor: Program

    init() async throws {
        terminal = try Terminal()
        number = try #require(TurnNumber(3))
        acceptor = try terminal.run([
            "systemd-socket-activate", "--accept", "--inetd", "--seqpacket", "--listen=\(terminal.folder)/3",
            "\(Terminal.binaries)/baton-turn-start",
        ])
        try await acceptor.line(containing: "Listening on")
    }

    private func start(_ program: TurnProgram) throws -> RunningTurnProgram {
        try TurnStarter(number, folder: terminal.folder).start(program, limit: TimeLimit(.seconds(60)))
    }

    @Test func `has its arguments, its environment alone, its folder and the descriptors that it was handed`() throws {
        let (reading, writing) = try #require(Descriptor.pipe())
        let (input, feed) = try #require(Descriptor.pipe())
        let script = #"""
            read line <&5
            open=; for n in 0 1 2 3 4 5 6 7 8 9 256 257 258 259; do [ ! -e /proc/$$/fd/$n ] || open="$open $n"; done
            echo "$1|$line|$PWD|$(env | cut -d= -f1 | sort | tr '\n' ' ')|$open" >&7
            """#
        let running = try start(
            TurnProgram(
                arguments: ["sh", "-c", script, "sh", "a b"], environment: ["PATH=/usr/bin:/bin", "WARD=7"],
                folder: "/usr", handed: [.init(writing, as: 7), .init(input, as: 5)]))
        #expect(write(feed.raw, "hello\n", 6) == 6)
        #expect(running.end(limit: TimeLimit(.seconds(60))) == .exited(0))
        // Nothing of what starts it is open: 0 to 2, and what it was handed.
        var wait = pollfd(fd: reading.raw, events: Int16(POLLIN), revents: 0)
        #expect(poll(&wait, 1, 60_000) == 1)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(reading.raw, &bytes, bytes.count)
        let line = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        #expect(line == "a b|hello|/usr|PATH PWD WARD | 0 1 2 5 7\n")
    }

    @Test func `ends with its status, or by its signal`() throws {
        let path = ["PATH=/usr/bin:/bin"]
        let failing = try start(TurnProgram(arguments: ["sh", "-c", "exit 7"], environment: path))
        #expect(failing.end(limit: TimeLimit(.seconds(60))) == .exited(7))
        let killed = try start(TurnProgram(arguments: ["sh", "-c", "kill -9 $$"], environment: path))
        #expect(killed.end(limit: TimeLimit(.seconds(60))) == .signalled(SIGKILL))
        let sleeping = try start(TurnProgram(arguments: ["sleep", "1000"], environment: path))
        #expect(sleeping.end(limit: TimeLimit(.milliseconds(1))) == nil)
        #expect(kill(sleeping.pid, SIGTERM) == 0)
        #expect(sleeping.end(limit: TimeLimit(.seconds(60))) == .signalled(SIGTERM))
    }

    @Test func `that is not there is refused by name`() {
        #expect(throws: TurnStarter.Failure.refused(reason: "/no/such: \(reason(ENOENT))")) {
            try start(TurnProgram(arguments: ["/no/such"]))
        }
        #expect(throws: TurnStarter.Failure.refused(reason: "sh: \(reason(ENOENT))")) {
            try start(TurnProgram(arguments: ["sh"], environment: ["PATH=/usr/bin:/bin"], folder: "/no/such"))
        }
    }

    @Test func `cannot be asked for where no socket is`() {
        let starter = TurnStarter(number, folder: "/no/such")
        #expect(throws: TurnStarter.Failure.unreachable(reason: reason(ENOENT))) {
            try starter.start(TurnProgram(arguments: ["true"]), limit: TimeLimit(.seconds(60)))
        }
    }

    @Test func `is not started by a message that is cut off, of another version, or of nothing`() async throws {
        // What a wrong message would start makes this file.
        let file = "\(terminal.folder)/started"
        let right: [UInt8] = [1, 0, 2, 0, 0, 0] + Array("\0/usr/bin/touch\0\(file)\0".utf8)
        var wrong = (0..<right.count).map { Array(right.prefix($0)) }
        wrong.append([2] + right.dropFirst())
        wrong.append(right + [0])
        wrong.append(right + Array("more".utf8))
        wrong.append([1, 1] + right.dropFirst(2))
        wrong.append([1, 0, 0xff, 0xff] + right.dropFirst(4))
        for bytes in wrong where !bytes.isEmpty {
            #expect(try answer(to: bytes).first == UInt8(ascii: "F"), "\(bytes)")
        }
        #expect(access(file, F_OK) != 0)
        #expect(try answer(to: right).first == UInt8(ascii: "S"))
    }

    private func answer(to bytes: [UInt8]) throws -> [UInt8] {
        let raw = socket(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        let connection = Descriptor(owning: raw)
        try #require(connection.connect(to: "\(terminal.folder)/3") == 0)
        try #require(send(connection.raw, bytes, bytes.count, 0) == bytes.count)
        var packet = [UInt8](repeating: 0, count: 16)
        let count = recv(connection.raw, &packet, packet.count, 0)
        return Array(packet.prefix(max(0, count)))
    }
}
