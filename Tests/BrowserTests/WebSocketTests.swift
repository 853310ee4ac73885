import CLinux
import Glibc
import NIOCore
import NIOWebSocket
import Testing
import WebSocket

@Suite(.timeLimit(.minutes(1))) struct WebSocketTests {
    private func open() async throws -> (WebSocket, WebSocketPeer) {
        let (peer, descriptor) = try await WebSocketPeer.make()
        let socket = try await WebSocket.open(
            on: descriptor, host: "127.0.0.1:9222", path: "/session", limit: .seconds(30))
        return (socket, peer)
    }

    private func all(_ socket: WebSocket) async -> [String] {
        var result: [String] = []
        for await text in socket.messages { result.append(text) }
        return result
    }

    @Test func `text goes both ways, masked on our side`() async throws {
        let (socket, peer) = try await open()
        try socket.send("{\"\u{017E}\": 1}")
        var frames = peer.frames.makeAsyncIterator()
        let frame = try #require(await frames.next())
        #expect(frame.maskKey != nil && frame.maskKey != [0, 0, 0, 0])
        #expect(String(buffer: frame.unmaskedData) == "{\"\u{017E}\": 1}")
        try await peer.send(.text, Array("answer".utf8))
        var messages = socket.messages.makeAsyncIterator()
        #expect(await messages.next() == "answer")
        await socket.close()
        #expect(await messages.next() == nil)
    }

    @Test func `fragments become one message, also with a ping among them, which is answered`() async throws {
        let (socket, peer) = try await open()
        try await peer.send(.text, Array("one ".utf8), isLast: false)
        try await peer.send(.ping, Array("there?".utf8))
        try await peer.send(.continuation, Array("mess".utf8), isLast: false)
        try await peer.send(.continuation, Array("age".utf8))
        var messages = socket.messages.makeAsyncIterator()
        #expect(await messages.next() == "one message")
        let pong = await peer.next()
        #expect(pong?.0 == .pong && pong?.1 == "there?")
    }

    @Test func `a message of the greatest length arrives, in one frame and in fragments`() async throws {
        let (socket, peer) = try await open()
        let half = [UInt8](repeating: UInt8(ascii: "x"), count: WebSocket.longestMessage / 2)
        try await peer.send(.text, half + half)
        var messages = socket.messages.makeAsyncIterator()
        #expect(await messages.next()?.utf8.count == WebSocket.longestMessage)
        try await peer.send(.text, half, isLast: false)
        try await peer.send(.continuation, half)
        #expect(await messages.next()?.utf8.count == WebSocket.longestMessage)
    }

    enum Offence: CaseIterable {
        case longFrame, longInFragments, tooManyFragments, strayContinuation, twoAtOnce, noText, close
    }

    @Test(arguments: Offence.allCases) func `the connection ends after`(_ offence: Offence) async throws {
        let (socket, peer) = try await open()
        try await peer.send(.text, Array("before".utf8))
        let part = [UInt8](repeating: UInt8(ascii: "x"), count: WebSocket.longestMessage / 2)
        // The peer's own writes fail as soon as the connection has ended.
        switch offence {
        case .longFrame: try? await peer.send(.text, part + part + [0])
        case .longInFragments:
            try? await peer.send(.text, part, isLast: false)
            try? await peer.send(.continuation, part, isLast: false)
            try? await peer.send(.continuation, [0])
        case .tooManyFragments:
            try? await peer.send(.text, [], isLast: false)
            for _ in 0..<5000 { try? await peer.send(.continuation, [], isLast: false) }
        case .strayContinuation: try? await peer.send(.continuation, [])
        case .twoAtOnce:
            try? await peer.send(.text, [0], isLast: false)
            try? await peer.send(.text, [0], isLast: false)
        case .noText: try? await peer.send(.text, [0xff, 0xfe])
        case .close: try? await peer.send(.connectionClose, [0x03, 0xe8])
        }
        #expect(await all(socket) == ["before"])
        await socket.close()
        #expect(throws: WebSocketFault.closed) { try socket.send("late") }
    }

    @Test func `a reader that falls far behind loses the connection, not a message in between`() async throws {
        let (socket, peer) = try await open()
        for number in 0..<5000 {
            guard (try? await peer.send(.text, Array("\(number)".utf8))) != nil else { break }
        }
        try? await peer.channel.closeFuture.get()
        let messages = await all(socket)
        #expect(messages.count == 4096)
        #expect(messages == (0..<messages.count).map { "\($0)" })
    }

    @Test func `what is sent to a peer that does not read is dropped`() async throws {
        let (socket, peer) = try await open()
        try await peer.channel.setOption(.autoRead, value: false).get()
        let text = String(repeating: "x", count: 1 << 20)
        #expect(throws: WebSocketFault.stalled) { for _ in 0..<100 { try socket.send(text) } }
    }

    @Test func `a peer that refuses, closes, says something else or nothing is a fault`() async throws {
        let (_, refusing) = try await WebSocketPeer.make(agrees: false)
        await #expect(throws: WebSocketFault.self) {
            _ = try await WebSocket.open(on: refusing, host: "h", path: "/", limit: .seconds(1))
        }
        for words in [nil, "", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "no HTTP at all\r\n\r\n"] {
            var ends: [CInt] = [-1, -1]
            #expect(baton_socket_pair(&ends) == 0)
            if let words { _ = write(ends[0], words, words.utf8.count) }
            if words == "" { Glibc.close(ends[0]) }
            await #expect(throws: WebSocketFault.self) {
                _ = try await WebSocket.open(on: ends[1], host: "h", path: "/", limit: .milliseconds(500))
            }
            if words != "" { Glibc.close(ends[0]) }
            #expect(fcntl(ends[1], F_GETFD) == -1 || words != nil)
        }
        await #expect(throws: WebSocketFault.self) {
            _ = try await WebSocket.open(on: -1, host: "h", path: "/", limit: .seconds(30))
        }
    }
}
