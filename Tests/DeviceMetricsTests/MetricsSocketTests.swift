import BusTesting
import FolderTesting
import Glibc
import LinuxSystem
import Testing

@testable import DeviceMetrics

@Suite("The socket of metrics", .timeLimit(.minutes(1)))
struct MetricsSocketTests {
    private let folder: TemporaryFolder
    private let source = ScriptedSource()
    private let lines = LoggedLines()

    init() throws { folder = try TemporaryFolder("metrics") }

    private var path: String { folder.path(of: "baton.sock") }

    /// Runs `body` while it listens; it is gone afterwards.
    private func listening(patience: Duration = .seconds(60), _ body: () async throws -> Void) async throws {
        let socket = MetricsSocket(path, source: source.source, patience: patience, log: lines.logger)
        socket.start()
        let end: () async -> Void = { await withCheckedContinuation { done in socket.close { done.resume() } } }
        do {
            try await eventually { folder.has("baton.sock") && Descriptor.connected(to: path) != nil }
            try await body()
        } catch {
            await end()
            throw error
        }
        await end()
    }

    private func metrics() async throws -> String {
        // Where too many wait, the next one may not even do that.
        guard let caller = SocketCaller(path) else { return "" }
        caller.say(SocketCaller.request)
        return await caller.answer()
    }

    @Test func `each caller gets what is so at that moment`() async throws {
        try await listening { () async throws in
            #expect(folder.mode(of: "baton.sock") == 0o660)
            for turn in 1...3 {
                source.turn()
                let answer = try await metrics()
                #expect(
                    answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
                #expect(answer.contains("\nbaton_turns_total \(turn)\n"))
            }
            let inPieces = try #require(SocketCaller(path))
            for character in "HEAD /metrics HTTP/1.1\r\n\r\n" { inPieces.say(String(character)) }
            #expect(await inPieces.answer().hasSuffix("\r\nConnection: close\r\n\r\n"))
            let wrong = try #require(SocketCaller(path))
            wrong.say("DELETE /metrics HTTP/1.1\r\n\r\n")
            #expect(await wrong.answer().hasPrefix("HTTP/1.1 405 "))
        }
        #expect(folder.names.isEmpty && lines.all.isEmpty)
    }

    @Test func `callers who say nothing, too much or nothing whole are thrown out, and others come after them`()
        async throws
    {
        try await listening(patience: .milliseconds(300)) { () async throws in
            // As many as are served at a time, and as many as may wait.
            var silent: [SocketCaller] = []
            for number in 0..<(2 * MetricsServer.most) {
                guard let caller = SocketCaller(path) else { break }
                if number % 3 == 1 { caller.say("GET /metrics HT") }
                silent.append(caller)
            }
            #expect(silent.count >= MetricsServer.most)
            try await eventually { try await metrics().contains("\nbaton_turns_total 0\n") }
            for caller in silent { #expect(await caller.answer().isEmpty) }
            let endless = try #require(SocketCaller(path))
            endless.say("GET /metrics HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 2000))
            #expect(await endless.answer().hasPrefix("HTTP/1.1 431 "))
        }
    }

    @Test func `a session that does not answer has no metrics, and no caller that waits for ever`() async throws {
        source.beSilent()
        try await listening(patience: .milliseconds(300)) { () async throws in
            #expect(try await metrics().isEmpty)
            // Gone before the figures came.
            SocketCaller(path)?.say(SocketCaller.request)
            source.speak()
            #expect(try await metrics().contains("\nbaton_turns_total 0\n"))
        }
    }

    @Test func `what a killed batond left is replaced, and what is no such thing stays`() async throws {
        let dead = try #require(Listening(path))
        dead.stop()
        try await listening { () async throws in #expect(try await metrics().hasPrefix("HTTP/1.1 200 ")) }
        #expect(folder.names.isEmpty)

        try folder.write("not a socket", to: "baton.sock")
        try await expectRefused()
        #expect(folder.text(of: "baton.sock") == "not a socket")
        unlink(path)

        let other = try #require(Listening(path))
        try await expectRefused()
        #expect(SocketCaller(path) != nil)
        other.stop()
        #expect(lines.all == Array(repeating: "warning the socket of metrics cannot be made", count: 2))
    }

    private func expectRefused() async throws {
        let before = lines.all.count
        let socket = MetricsSocket(path, source: source.source, log: lines.logger)
        socket.start()
        try await eventually { lines.all.count > before }
        await withCheckedContinuation { done in socket.close { done.resume() } }
        #expect(folder.names == ["baton.sock"])
    }

    @Test func `the folder's group may connect where the folder says so`() async throws {
        #expect(chmod(folder.path, 0o2755) == 0)
        try await listening { () async throws in
            var (socket, parent) = (stat(), stat())
            #expect(lstat(path, &socket) == 0 && stat(folder.path, &parent) == 0)
            #expect(socket.st_gid == parent.st_gid && socket.st_mode & 0o777 == 0o660)
        }
    }
}

/// A socket that listens, of another program.
private final class Listening {
    private var socket: Descriptor?

    init?(_ path: String) {
        let raw = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard raw >= 0 else { return nil }
        let socket = Descriptor(owning: raw)
        guard socket.bind(to: path) == 0, listen(raw, 4) == 0 else { return nil }
        self.socket = socket
    }

    /// Leaves its file where it is.
    func stop() { socket = nil }
}
