import Glibc
import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// The open connections of the loopback listener: bounded in number and in the time that a request may take to arrive.
///
/// Every local user can connect. When there are too many, those of the user with the most are ended, half requests before
/// whole ones and the oldest first, so that one user's flood does not keep another's redirect out.
final class LoopbackConnections: Sendable {
    private struct Connection {
        let channel: any Channel
        let peer: LoopbackPeer?
        /// Counts up with each that opens or waits for its next request.
        var number: UInt64
        /// Ends it unless a whole request comes before; nil: one has come and is answered now.
        var deadline: Scheduled<Void>?
        var work: Task<Response, Never>?
    }

    private struct State {
        var open: [ObjectIdentifier: Connection] = [:]
        var next: UInt64 = 0
        var hasWarned = false

        mutating func nextNumber() -> UInt64 {
            defer { next += 1 }
            return next
        }
    }

    private let state = Mutex(State())
    private let most: Int
    private let patience: TimeAmount
    private let log: Logger

    /// - Parameter patience: How long a whole request may take.
    init(most: Int, patience: Duration, log: Logger) {
        self.most = most
        self.patience = TimeAmount(patience)
        self.log = log
    }

    func opened(_ channel: any Channel) {
        let ended = state.withLock { state in
            let number = state.nextNumber()
            state.open[ObjectIdentifier(channel)] = Connection(
                channel: channel, peer: channel.remoteAddress.flatMap { LoopbackPeer($0) }, number: number,
                deadline: deadline(of: channel, number))
            return state.open.count > most ? makeRoom(in: &state, port: channel.localAddress?.port) : []
        }
        for channel in ended { channel.close(promise: nil) }
    }

    func closed(_ channel: any Channel) {
        state.withLock { $0.open.removeValue(forKey: ObjectIdentifier(channel))?.deadline?.cancel() }
    }

    /// A whole request has come, which `work` answers.
    func begins(_ channel: any Channel, _ work: Task<Response, Never>) {
        state.withLock { state in
            state.open[ObjectIdentifier(channel)]?.deadline?.cancel()
            state.open[ObjectIdentifier(channel)]?.deadline = nil
            state.open[ObjectIdentifier(channel)]?.work = work
        }
    }

    func answered(_ channel: any Channel) {
        state.withLock { state in
            let number = state.nextNumber()
            state.open[ObjectIdentifier(channel)]?.deadline?.cancel()
            state.open[ObjectIdentifier(channel)]?.number = number
            state.open[ObjectIdentifier(channel)]?.work = nil
            state.open[ObjectIdentifier(channel)]?.deadline = deadline(of: channel, number)
        }
    }

    /// Ends all that are open, and what is being answered.
    func endAll() {
        let open = state.withLock { Array($0.open.values) }
        for connection in open {
            connection.work?.cancel()
            connection.channel.close(promise: nil)
        }
    }

    private func deadline(of channel: any Channel, _ number: UInt64) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: patience) { [weak self] in self?.expire(channel, number) }
    }

    private func expire(_ channel: any Channel, _ number: UInt64) {
        let isLate = state.withLock { state in
            let connection = state.open[ObjectIdentifier(channel)]
            return connection?.number == number && connection?.deadline != nil
        }
        if isLate { channel.close(promise: nil) }
    }

    /// Takes half of what the user with the most has: to read whose they are takes time, and so happens seldom in a flood.
    private func makeRoom(in state: inout State, port: Int?) -> [any Channel] {
        let users = port.map { LoopbackPeer.users(ofPort: $0) } ?? [:]
        let byUser = Dictionary(grouping: state.open) { $0.value.peer.flatMap { users[$0] } }
        guard let (user, those) = byUser.max(by: { $0.value.count < $1.value.count }) else { return [] }
        if !state.hasWarned {
            state.hasWarned = true
            log.warning(
                "a user fills the loopback listener with connections, and some are ended",
                metadata: ["uid": "\(user.map(String.init) ?? "unknown")"])
        }
        let ended = those.sorted {
            ($0.value.deadline == nil ? 1 : 0, $0.value.number) < ($1.value.deadline == nil ? 1 : 0, $1.value.number)
        }.prefix(max(1, those.count / 2))
        for (key, connection) in ended {
            connection.deadline?.cancel()
            state.open[key] = nil
        }
        return ended.map(\.value.channel)
    }
}
