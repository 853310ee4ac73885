import FoundationEssentials
import LinuxSystem
import Synchronization
import WebSocket

/// Commands out, answers and events in, over the one WebSocket of a browser.
final class BiDiSession: Sendable {
    private typealias Waiting = CheckedContinuation<Result<String, BrowserFault>, Never>

    private struct State {
        var last = 0
        /// Nil once the connection has ended.
        var waiting: [Int: Waiting]? = [:]
    }

    private let socket: WebSocket
    private let state = Mutex(State())

    init(on socket: WebSocket) { self.socket = socket }

    /// Sends a command and waits for its answer; a cancelled caller gets `silent`.
    @discardableResult
    func call<Command: BiDiCommand>(
        _ command: Command, limit: Duration
    ) async throws(BrowserFault) -> Command.Answer {
        let id = nextID()
        let text = try encode(command, id)
        let outcome = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                guard (try? await OwnTasks.sleep(for: limit)) != nil else { return }
                self.resolve(id, .failure(.silent))
            }
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { self.start(id, text, $0) }
            } onCancel: {
                self.resolve(id, .failure(.silent))
            }
            group.cancelAll()
            return outcome
        }
        switch outcome {
        case .failure(.refused(_, let why)): throw .refused(Command.method, why)
        case .failure(let fault): throw fault
        case .success(let text):
            guard let answer = Self.decode(BiDiAnswer<Command.Answer>.self, text) else {
                throw .refused(Command.method, "an answer that was not understood")
            }
            return answer.result
        }
    }

    /// Sends a command whose answer no caller waits for.
    func tell<Command: BiDiCommand>(_ command: Command) {
        guard let text = try? encode(command, nextID()) else { return }
        try? socket.send(text)
    }

    /// Reads until the connection ends; answers reach their callers, events `handle`, in the order of their arrival.
    func read(_ handle: (BiDiEvent) -> Void) async {
        for await text in socket.messages {
            guard let head = Self.decode(BiDiHead.self, text) else { continue }
            if let id = head.id {
                let error = head.error.map { BrowserFault.refused("", head.message ?? $0) }
                resolve(id, error.map { .failure($0) } ?? .success(text))
            } else if let method = head.method, let event = Self.event(method, text) {
                handle(event)
            }
        }
        let left = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        for waiting in left?.values ?? [:].values { waiting.resume(returning: .failure(.gone)) }
    }

    func close() async { await socket.close() }

    private func nextID() -> Int {
        state.withLock { state in
            state.last &+= 1
            return state.last
        }
    }

    private func start(_ id: Int, _ text: String, _ continuation: Waiting) {
        let isOpen = state.withLock { state in
            guard state.waiting != nil else { return false }
            state.waiting?[id] = continuation
            return true
        }
        guard isOpen else { return continuation.resume(returning: .failure(.gone)) }
        // The cancellation handler may have run before there was anything to resolve.
        if Task.isCancelled { return resolve(id, .failure(.silent)) }
        do {
            try socket.send(text)
        } catch {
            resolve(id, .failure(error == .stalled ? .silent : .gone))
        }
    }

    private func resolve(_ id: Int, _ outcome: Result<String, BrowserFault>) {
        state.withLock { $0.waiting?.removeValue(forKey: id) }?.resume(returning: outcome)
    }

    private func encode<Command: BiDiCommand>(_ command: Command, _ id: Int) throws(BrowserFault) -> String {
        guard let data = try? JSONEncoder().encode(BiDiRequest(id: id, command: command)) else {
            throw .refused(Command.method, "it cannot be written as JSON")
        }
        return String(decoding: data, as: UTF8.self)
    }

    private static func event(_ method: String, _ text: String) -> BiDiEvent? {
        switch method {
        case BiDiEvent.requestName: network(text).map { .request($0) }
        case BiDiEvent.responseName: network(text).map { .response($0) }
        case BiDiEvent.failureName: network(text).map { .failure($0) }
        case BiDiEvent.createdName: context(text).map { .contextCreated($0) }
        case BiDiEvent.destroyedName: context(text).map { .contextDestroyed($0) }
        case BiDiEvent.navigationName: context(text).map { .navigation($0) }
        case BiDiEvent.committedName: context(text).map { .committed($0) }
        default: nil
        }
    }

    private static func network(_ text: String) -> NetworkEvent? {
        decode(BiDiNotice<NetworkEvent>.self, text)?.params
    }

    private static func context(_ text: String) -> ContextEvent? {
        decode(BiDiNotice<ContextEvent>.self, text)?.params
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
