import Baton
import DBus
import GeneratedInput
import Glibc
import TerminalTesting
import Testing

@Suite("batond killed at random times under load", .serialized)
struct RandomKillTests {
    @Test(.timeLimit(.minutes(Soak.minutes(5))), arguments: [1, 2] as [UInt64])
    func `nothing that was said turns out false`(_ seed: UInt64) async throws {
        let fire = try await FireTerminal()
        // The third kill in one barrier ends it quarantined, and nothing else may.
        fire.release = .afterThreeRestarts
        // Always the same times, so that what was found can be found again.
        var dice = GeneratedInput(seed: seed)
        let callers = try await Load.start(on: fire.terminal)
        let kills = Soak.isOn ? 1000 : 25
        let progress = Progress(of: kills)
        for _ in 0..<kills {
            try await fire.start()
            let moment = Duration.microseconds(Int64.random(in: 0...250_000, using: &dice))
            let killer = Task { [daemon = fire.daemon] in
                try? await Task.sleep(for: moment)
                daemon?.signal(SIGKILL)
            }
            await fire.turnWhileItLasts()
            await killer.value
            _ = await fire.daemonEnd()
            #expect(fire.faults.isEmpty, "\(fire.faults)")
            progress.step()
        }
        try await fire.start()
        try await fire.settle()
        for receipt in try await fire.witness.check(fire.desk) {
            #expect(
                receipt.outcome == .cleared || receipt.outcome == .quarantined && receipt.restarts >= 3, "\(receipt)")
        }
        callers.cancel()
        await fire.end()
        #expect(fire.faults.isEmpty, "\(fire.faults)")
    }
}

/// Callers that ask and register and leave all the time, and take every answer.
enum Load {
    static func start(on terminal: Terminal) async throws -> Task<Void, Never> {
        let peers = try await (Peer(terminal), Peer(terminal), Peer(terminal))
        return Task {
            await withTaskGroup(of: Void.self) { group in
                for (number, peer) in [peers.0, peers.1, peers.2].enumerated() {
                    group.addTask {
                        while !Task.isCancelled {
                            do {
                                let app = try await peer.register("org.example.Visitor\(number)")
                                _ = try await peer.list()
                                try await peer.call(Participants.leave, app.instance)
                            } catch {
                                // batond is being started again.
                                try? await Task.sleep(for: .milliseconds(5))
                            }
                        }
                    }
                }
            }
        }
    }
}
