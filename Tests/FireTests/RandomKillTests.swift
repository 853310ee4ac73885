import Baton
import DBus
import GeneratedInput
import Glibc
import TerminalTesting
import Testing

@Suite("batond killed at random times under load", .serialized)
struct RandomKillTests {
    @Test(.timeLimit(.minutes(5)), arguments: [1, 2] as [UInt64])
    func `nothing that was said turns out false`(_ seed: UInt64) async throws {
        let fire = try await FireTerminal()
        // The third kill in one barrier ends it quarantined.
        fire.endsQuarantine = true
        // Always the same times, so that what was found can be found again.
        var dice = GeneratedInput(seed: seed)
        let callers = try await Load.start(on: fire.terminal)
        let kills = getenv("BATON_SOAK") == nil ? 25 : 1000
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
            #expect(fire.witness.faults.isEmpty, "\(fire.witness.faults)")
        }
        try await fire.start()
        try await fire.settle()
        try await fire.witness.check(fire.desk)
        #expect(fire.witness.faults.isEmpty, "\(fire.witness.faults)")
        callers.cancel()
        await fire.end()
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
