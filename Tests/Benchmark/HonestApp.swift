import Baton
import DBus
import TerminalTesting

/// An app that acknowledges at once, and says when batond had taken that.
struct HonestApp: Sendable {
    /// An acknowledgement's epoch, and when it was answered; nil: it was refused.
    typealias Answer = (epoch: Epoch, at: ContinuousClock.Instant?)

    let id: String
    let answers: AsyncStream<Answer>
    private let task: Task<Void, Never>

    init(_ terminal: Terminal, _ id: String) async throws {
        let peer = try await Peer(terminal)
        let signals = try await peer.signals(Device1.signingOut)
        let instance = try await peer.register(id).instance
        let (answers, tell) = AsyncStream.makeStream(of: Answer.self)
        self.id = id
        self.answers = answers
        task = Task {
            do {
                for try await signal in signals {
                    let epoch = signal.values.0
                    do {
                        try await peer.acknowledge(epoch, instance)
                        tell.yield((epoch, .now))
                    } catch is DBusError {
                        tell.yield((epoch, nil))
                    }
                }
            } catch {}
            tell.finish()
        }
    }

    /// When its acknowledgement of a turn was answered; nil when it was refused.
    func answered(_ epoch: Epoch) async throws -> ContinuousClock.Instant? {
        for await answer in answers where answer.epoch == epoch { return answer.at }
        throw FloorFault("\(id) was never told that turn \(epoch) ends")
    }

    func leave() { task.cancel() }
}
