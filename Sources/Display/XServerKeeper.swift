package import LinuxSystem
import Synchronization

/// Puts an X server back to how it was before a worker's turn.
///
/// Out of reach stay the names that programs have had it number, which it keeps until it ends, and what its extensions keep: settings
/// of input devices (XInput, XKB) and of outputs (RandR).
package final class XServerKeeper: Sendable {
    /// What came of it.
    package enum Result: Sendable, Equatable {
        case restored(Restored)
        /// The same server no longer runs: what it had is gone.
        case another
        /// How it was before is not known.
        case unknown
        /// What could not be removed or put back, in words, or that the server does not answer. If it does, no window is among it: these
        /// are found.
        case failed(String)
    }

    package struct Restored: Sendable, Equatable {
        /// Programs that had left windows or pictures, which are removed.
        package var programs = 0
        /// What else was another than before, in words.
        package var changed: [String] = []
        /// Properties that are others than before, and which the window manager sees to itself.
        package var managed = 0
        package var hasOtherKeys = false
    }

    private struct Memory {
        var state: XServerState
        var clients: XClients?
        var server: Server
    }

    /// What was another when it was looked at, of how many programs what they had left was removed, and of how many it was not.
    private struct Found {
        var programs: Int
        var kept: Int
        var change: XServerState.Change

        /// The same, with other keys in any case if so.
        func with(keys: Bool) -> Found {
            var result = self
            if keys { result.change.keys = true }
            return result
        }

        /// - Parameter left: What is another still.
        func result(after left: XServerState.Change) -> Result {
            guard kept == 0 else {
                let programs = kept == 1 ? "1 program has" : "\(kept) programs have"
                return .failed("the X server keeps what \(programs) left: restart it")
            }
            var withoutKeys = left
            withoutKeys.keys = false
            guard withoutKeys.text.isEmpty else {
                return .failed("the X server does not take back: \(withoutKeys.text.joined(separator: ", "))")
            }
            return .restored(
                Restored(programs: programs, changed: change.text, managed: left.managed, hasOtherKeys: left.keys))
        }
    }

    private struct End: Error {
        static let noAnswer = End(result: .failed("the X server does not answer"))
        var result: XServerKeeper.Result
    }

    /// A process for good.
    private struct Server: Equatable {
        var pid: Int32
        var started: UInt64?
    }

    private let address: XAddress
    private let ignored: Set<XServerState.Host>
    private let memory = Mutex<Memory?>(nil)

    /// - Parameter ignored: Users who are let in and out by others than the worker's programs.
    package init(_ address: XAddress, ignoring ignored: [String]) {
        self.address = address
        self.ignored = Set(
            ignored.map { XServerState.Host(family: XAccess.family, address: XAccess.address(of: $0)) })
    }

    /// Takes note of how the server is: no program of the worker's runs yet.
    package func remember(limit: TimeLimit) async {
        let found = await OwnThread.run(limit: limit) { [address, ignored] in Self.look(at: address, ignored) } ?? nil
        memory.withLock { $0 = found }
    }

    /// Nothing is known any more of how it was.
    package func forget() { memory.withLock { $0 = nil } }

    /// Has the server be as it was; the worker's programs have ended.
    ///
    /// - Parameters:
    ///   - hasOtherKeys: The keys are others, also if as much of them as every client sees is not.
    ///   - putBackKeys: Is called if the keys are others, before the rest is looked at again.
    package func restore(
        limit: TimeLimit, hasOtherKeys: Bool = false, putBackKeys: @Sendable (TimeLimit) async -> Void
    ) async -> Result {
        guard let before = memory.withLock(\.self) else { return .unknown }
        switch await onServer(limit, { Self.restore(before, $0, $1) }) {
        case .success(let looked):
            let found = looked.with(keys: hasOtherKeys)
            // Nothing was asked for that could have been refused.
            guard !found.change.text.isEmpty else { return found.result(after: found.change) }
            if found.change.keys { await putBackKeys(limit) }
            switch await onServer(limit, { Self.verify(found, before, $0, $1) }) {
            case .success(let result): return result
            case .failure(let end): return end.result
            }
        case .failure(let end): return end.result
        }
    }

    private func onServer<Answer: Sendable>(
        _ limit: TimeLimit,
        _ work: @escaping @Sendable (XConnection, Set<XServerState.Host>) -> Swift.Result<Answer, End>
    ) async -> Swift.Result<Answer, End> {
        await OwnThread.run(limit: limit) { [address, ignored] in
            guard let connection = XConnection(address) else { return .failure(.noAnswer) }
            return work(connection, ignored)
        } ?? .failure(.noAnswer)
    }

    private static func look(at address: XAddress, _ ignored: Set<XServerState.Host>) -> Memory? {
        guard let connection = XConnection(address), let state = XServerState(connection, ignoring: ignored) else {
            return nil
        }
        return Memory(state: state, clients: XClients(connection), server: server(of: connection))
    }

    private static func server(of connection: XConnection) -> Server {
        let pid = SessionDisplay.peer(of: connection.descriptor) ?? 0
        return Server(pid: pid, started: ProcessRecord(pid: pid)?.started)
    }

    private static func restore(
        _ before: Memory, _ connection: XConnection, _ ignored: Set<XServerState.Host>
    ) -> Swift.Result<Found, End> {
        guard server(of: connection) == before.server else { return .failure(End(result: .another)) }
        var (removed, kept) = (0, 0)
        if let earlier = before.clients {
            guard let found = XClients.removeLeft(since: earlier, connection) else {
                return .failure(End(result: .failed("the X server does not say who uses it")))
            }
            (removed, kept) = (found.removed, found.left)
        }
        let state = before.state
        state.restoreBackground(connection)
        guard let supported = connection.atom("_NET_SUPPORTED"),
            let now = XServerState(connection, ignoring: ignored)
        else { return .failure(.noAnswer) }
        let change = now.changes(since: state, supported: supported)
        state.restore(from: now, change, supported: supported, connection)
        guard connection.catchUp() else { return .failure(.noAnswer) }
        return .success(Found(programs: removed, kept: kept, change: change))
    }

    private static func verify(
        _ found: Found, _ before: Memory, _ connection: XConnection, _ ignored: Set<XServerState.Host>
    ) -> Swift.Result<Result, End> {
        guard let supported = connection.atom("_NET_SUPPORTED"),
            let now = XServerState(connection, ignoring: ignored)
        else { return .failure(.noAnswer) }
        return .success(found.result(after: now.changes(since: before.state, supported: supported)))
    }
}

extension XServerState.Change {
    /// No name of a property: any program may have chosen it.
    fileprivate var text: [String] {
        [
            properties == 0 ? nil : properties == 1 ? "1 property" : "\(properties) properties",
            keys ? "keymap" : nil, settings ? "keyboard, pointer or screen saver" : nil,
            access ? "who may connect" : nil,
        ].compactMap(\.self)
    }
}
