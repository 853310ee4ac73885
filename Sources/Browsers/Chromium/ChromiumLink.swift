import FoundationEssentials
import LinuxSystem
import Synchronization

/// Commands to one Chromium and their answers. No caller waits longer than the limit of the command.
final class ChromiumLink: Sendable {
    private typealias Answers = AsyncStream<Result<[UInt8], BrowserFault>>

    private struct State {
        var last = 0
        var waiting: [Int: Answers.Continuation] = [:]
        var isGone = false
        var closers: [AsyncStream<Void>.Continuation] = []
    }

    private let channel: PipeChannel
    private let state = Mutex(State())

    init(_ channel: PipeChannel) { self.channel = channel }

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - handle: Called on the channel's thread, one event after the other; must not wait.
    ///   - ended: Called once, when the browser or its channel has ended.
    func start(
        handle: @escaping @Sendable (ChromiumEvent) -> Void, ended: @escaping @Sendable () -> Void
    ) throws(BrowserFault) {
        let started = channel.start { [self] message in
            // Anything else than a message of the protocol is left lying.
            guard let incoming = try? JSONDecoder().decode(ChromiumIncoming.self, from: Data(message)) else { return }
            if let id = incoming.id {
                resolve(id, .success(message))
            } else if let event = incoming.event {
                handle(event)
            }
        } ended: { [self] in
            let (waiting, closers) = state.withLock { state in
                state.isGone = true
                defer { (state.waiting, state.closers) = ([:], []) }
                return (state.waiting, state.closers)
            }
            for continuation in waiting.values { continuation.yield(.failure(.gone)) }
            for closer in closers { closer.finish() }
            ended()
        }
        if !started { throw .notStarted("no thread left") }
    }

    /// Does a command and waits for its answer.
    ///
    /// - Parameter session: Of the target that it is for; nil: it is for the browser.
    @discardableResult
    func call<Command: ChromiumCommand>(
        _ command: Command, in session: String? = nil, limit: Duration = .seconds(5)
    ) async throws(BrowserFault) -> Command.Answer {
        let (answers, continuation) = Answers.makeStream(bufferingPolicy: .bufferingOldest(1))
        let id = try state.withLock { state throws(BrowserFault) in
            if state.isGone { throw .gone }
            state.last &+= 1
            state.waiting[state.last] = continuation
            return state.last
        }
        defer { state.withLock { _ = $0.waiting.removeValue(forKey: id) } }
        // A browser that reads nothing any more has a full queue.
        guard send(command, id, session) else { throw .silent }
        guard let result = await answers.first(within: limit) else { throw .silent }
        let message = try result.get()
        guard let reply = try? JSONDecoder().decode(ChromiumReply<Command.Answer>.self, from: Data(message)) else {
            throw .refused(Command.method, "an answer that makes no sense")
        }
        if let error = reply.error { throw .refused(Command.method, String(error.message.prefix(200))) }
        guard let answer = reply.result else { throw .refused(Command.method, "no answer") }
        return answer
    }

    /// Does a command whose answer does not matter.
    ///
    /// - Parameter session: Of the target that it is for; nil: it is for the browser.
    func post(_ command: some ChromiumCommand, in session: String? = nil) {
        let id = state.withLock { state in
            state.last &+= 1
            return state.last
        }
        _ = send(command, id, session)
    }

    func close() { channel.close() }

    /// Closes it and waits until nothing of what the browser told lies in the channel's memory any more.
    func close(limit: TimeLimit) async {
        close()
        let (ends, closer) = AsyncStream.makeStream(of: Void.self)
        let isOpen = state.withLock { state in
            if !state.isGone { state.closers.append(closer) }
            return !state.isGone
        }
        if isOpen { _ = await ends.first(within: limit.left) }
    }

    private func send<Command: ChromiumCommand>(
        _ command: Command, _ id: Int, _ session: String? = nil
    ) -> Bool {
        let message = ChromiumMessage(id: id, params: command, sessionId: session)
        guard let data = try? JSONEncoder().encode(message) else { return false }
        return channel.send(Array(data))
    }

    private func resolve(_ id: Int, _ result: Result<[UInt8], BrowserFault>) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.yield(result)
    }
}
