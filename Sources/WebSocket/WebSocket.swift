import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// The client's end of a WebSocket over a descriptor that is connected already. Text messages only; binary ones are ignored.
public final class WebSocket: Sendable {
    /// The longest message, in one frame or in fragments.
    public static let longestMessage = 16 << 20

    /// What the peer sends, until the connection ends. For one reader.
    public let messages: WebSocketMessages
    private let channel: any Channel
    private let leaving = WaitingBytes()
    /// How much may wait for a peer that does not read.
    private static let mostLeaving = 4 << 20

    private init(channel: any Channel, messages: WebSocketMessages) {
        self.channel = channel
        self.messages = messages
    }

    deinit { channel.close(promise: nil) }

    /// Opens one.
    ///
    /// - Parameters:
    ///   - descriptor: A stream socket; from here on it is this module's, and is closed also when this fails.
    ///   - host: What the `Host` header says. No `Origin` is sent.
    ///   - limit: How long the peer may take to agree.
    public static func open(
        on descriptor: Int32, host: String, path: String, limit: Duration
    ) async throws(WebSocketFault) -> WebSocket {
        let inbox = WebSocketMessages()
        guard descriptor >= 0 else { throw .notOpened("there is no descriptor") }
        do {
            let upgrade = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .withConnectedSocket(descriptor) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try handshake(on: channel, host: host, path: path, limit: limit, inbox: inbox)
                    }
                }
            guard let channel = try await upgrade.get() else { throw WebSocketFault.notOpened("refused") }
            return WebSocket(channel: channel, messages: inbox)
        } catch {
            inbox.finish()
            throw error as? WebSocketFault ?? .notOpened("\(error)")
        }
    }

    /// Puts a message on its way; whether it arrives is not known.
    public func send(_ text: String) throws(WebSocketFault) {
        guard channel.isActive else { throw .closed }
        let length = text.utf8.count
        guard leaving.add(length) <= Self.mostLeaving else {
            _ = leaving.add(-length)
            throw .stalled
        }
        let frame = WebSocketFrame(
            fin: true, opcode: .text, maskKey: .strong(), data: channel.allocator.buffer(string: text))
        channel.writeAndFlush(frame).whenComplete { [leaving] _ in _ = leaving.add(-length) }
    }

    /// Closes it and waits until the descriptor is closed; messages that were not read yet can still be read.
    public func close() async {
        channel.close(promise: nil)
        try? await channel.closeFuture.get()
    }

    private static func handshake(
        on channel: any Channel, host: String, path: String, limit: Duration, inbox: WebSocketMessages
    ) throws -> EventLoopFuture<(any Channel)?> {
        // A peer that never answers ends here, by the channel's own clock.
        let late = channel.eventLoop.scheduleTask(in: TimeAmount(limit)) { channel.close(promise: nil) }
        let upgrader = NIOTypedWebSocketClientUpgrader<(any Channel)?>(maxFrameSize: longestMessage) { channel, _ in
            late.cancel()
            return channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandlers([
                    NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 4096,
                        maxAccumulatedFrameSize: longestMessage),
                    WebSocketInlet(inbox),
                ])
                return channel
            }
        }
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: ["Host": host])
        let configuration = NIOTypedHTTPClientUpgradeConfiguration<(any Channel)?>(
            upgradeRequestHead: head, upgraders: [upgrader]
        ) { channel in
            late.cancel()
            return channel.close().map { nil }
        }
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
            configuration: .init(upgradeConfiguration: configuration))
    }
}

extension WebSocketMaskingKey {
    /// A random key that masks something: Firefox closes the connection when the key is 0.
    static func strong() -> WebSocketMaskingKey {
        while true {
            let key = WebSocketMaskingKey.random()
            if key.contains(where: { $0 != 0 }) { return key }
        }
    }
}
