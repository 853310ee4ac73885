public import Logging

/// The screens of an X server.
public final class X11Screen: Screen {
    public let kind = "x11"
    private let thread: CoverThread
    /// A server that does not answer for so long is taken for one that cannot be covered.
    private static let patience = Duration.seconds(2)

    /// Nil when there is no such display or it does not let us in.
    public init?(_ address: XAddress, logger: Logger? = nil) async {
        guard let thread = CoverThread(logger: logger) else { return nil }
        self.thread = thread
        let isReady = await Self.answer { answer in
            if !OwnThread.start({ thread.run(address, ready: answer) }) { answer(false) }
        }
        if !isReady { return nil }
    }

    deinit { thread.stop() }

    /// True also while another program still holds keyboard or pointer: see `holdsInput`.
    public func cover(_ text: String) async -> Bool {
        await Self.answer { [thread] in thread.add(.cover(text), $0) }
    }

    public func uncover() async {
        _ = await Self.answer { [thread] in thread.add(.uncover, $0) }
    }

    /// Whether keyboard and pointer are ours. Another program may hold them when the cover comes, as an open menu does;
    /// they are then taken as soon as it lets go.
    public var holdsInput: Bool { thread.hasInput }

    /// False also when no answer comes in time, or when the task is cancelled; what was asked for is done nevertheless.
    private static func answer(_ ask: (@escaping @Sendable (Bool) -> Void) -> Void) async -> Bool {
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        ask {
            answer.yield($0)
            answer.finish()
        }
        return await answers.first(within: patience) ?? false
    }
}
