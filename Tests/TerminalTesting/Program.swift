import BusTesting
import Glibc
import Synchronization

/// A real program under test: its lines can be waited for, and it is killed by its process id when this goes.
public final class Program: Sendable {
    private let name: String
    private let child: ChildProcess
    private let state: OutputState

    public var pid: Int32 { child.processID }

    public init(_ arguments: [String], environment: [String: String] = [:]) throws {
        name = arguments.first ?? ""
        child = try ChildProcess(arguments, environment: environment)
        state = OutputState()
        // Reading blocks, so it has a thread of its own and none of the pool's.
        let context = Unmanaged.passRetained(Reader(child: child, state: state))
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Reader>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard failure == 0 else {
            context.release()
            throw TestingError("no thread")
        }
        pthread_detach(thread)
    }

    /// Waited for here and not where its output ends, which whatever it started may hold open: a child that is never waited
    /// for keeps the testing library from seeing how its own children end.
    deinit {
        // The time of a test is over: why, its programs may know.
        if Task.isCancelled { print("\(name) printed, at the end:\n\(output.suffix(4000))") }
        child.kill()
    }

    /// Waits for a line that contains a text, also one that came before; throws when the program ends without it.
    @discardableResult
    public func line(containing text: String, count: Int = 1) async throws -> String {
        // The outer optional: not decided yet. The inner: the program ended without it.
        let line: String? = await state.wait { lines, hasEnded -> String?? in
            let found = lines.filter { $0.contains(text) }
            if found.count >= count { return .some(found[count - 1]) }
            return hasEnded ? .some(nil) : nil
        }
        guard let line else {
            throw TestingError("'\(text)' was never printed, but:\n\(output)")
        }
        return line
    }

    /// Everything that it has printed so far.
    public var output: String { state.text }

    /// Waits until it has ended by itself, or because of `signal`.
    ///
    /// - Returns: The exit code, or 128 and the signal that ended it.
    public func end() async -> Int32 {
        _ = await state.wait { _, hasEnded in hasEnded ? true : nil }
        if Task.isCancelled { child.giveUp() }
        return child.waitForEnd().status
    }

    public func signal(_ number: Int32) { child.signal(number) }

    /// Kills it at once and waits until it is gone.
    public func kill() async {
        signal(SIGKILL)
        _ = await end()
    }
}

/// The lines of a program, and who waits for one.
final class OutputState: Sendable {
    private struct State {
        var lines: [String] = []
        var hasEnded = false
        var checks: [UInt64: @Sendable ([String], Bool) -> Bool] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    var text: String { state.withLock { $0.lines.joined(separator: "\n") } }

    func add(_ line: String?) {
        state.withLock { state in
            if let line { state.lines.append(line) } else { state.hasEnded = true }
            look(&state)
        }
    }

    private func look(_ state: inout State) {
        let (lines, hasEnded) = (state.lines, state.hasEnded)
        state.checks = state.checks.filter { !$0.value(lines, hasEnded) }
    }

    /// Waits until `check` gives a value for the lines so far; a time limit that passes counts as the end.
    func wait<Value: Sendable>(_ check: @escaping @Sendable ([String], Bool) -> Value?) async -> Value {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.checks[id] = { lines, hasEnded in
                        guard let value = check(lines, hasEnded || Task.isCancelled) else { return false }
                        continuation.resume(returning: value)
                        return true
                    }
                    look(&state)
                }
            }
        } onCancel: {
            state.withLock { state in
                if let waiting = state.checks[id], waiting(state.lines, true) { state.checks[id] = nil }
            }
        }
    }
}

private final class Reader: Sendable {
    let child: ChildProcess
    let state: OutputState

    init(child: ChildProcess, state: OutputState) {
        self.child = child
        self.state = state
    }

    func run() {
        while let line = try? child.readLine() { state.add(line) }
        state.add(nil)
    }
}
