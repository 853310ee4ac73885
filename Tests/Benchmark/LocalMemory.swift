import Baton
import DBus
import LocalAccounts
import Secrets
import TerminalTesting

/// Workers with a PIN come and go; the hash has its real cost, which is memory above all.
struct LocalMemory {
    let rounds: Int

    func run() async throws {
        let terminal = try Terminal(settings: "", in: FloorTimes.state)
        let hash = try PINHash.make(pin: Secret(Array("1234".utf8)))
        try terminal.configure(
            """
            identity:
              kind: local
              accounts:
                - {username: ana, name: Ana Horvat, pin: "\(hash.text)"}
            agent: {required: false, start: false}

            """ + Terminal.patient, accounts: false)
        let daemon = try await terminal.startDaemon(agent: false)
        let peer = try await Peer(terminal)
        let app = try await Peer(terminal)
        let instance = try await app.register("org.example.App").instance
        print("\n\(rounds) sign-ins and sign-outs with a PIN and one app; memory of batond:")
        var warm: Int?
        let step = max(1, rounds / 10)
        func turn() async throws {
            let calls = try await app.signals(Device1.signingOut)
            try await peer.signIn("ana", pin: "1234")
            async let receipt = peer.signOut()
            for try await call in calls {
                try await app.acknowledge(call.values.0, instance)
                break
            }
            guard try await receipt?.outcome == .cleared else { throw FloorFault("a sign-out did not end cleared") }
        }
        for round in 1...rounds {
            try await turn()
            guard round % step == 0 else { continue }
            print("  after \(round) rounds: \(daemon.residentMemory) KiB resident")
            if warm == nil { warm = daemon.memoryParts.own }
        }
        let target = MemoryTarget(kibibytes: 24 << 10, of: "with local accounts")
        target.judgeGrowth(daemon, since: warm, rounds: rounds - step)
        target.judge(daemon, "turns in a row")
        try await Task.sleep(for: MemoryTarget.rest)
        try await turn()
        _ = try await peer.phase()
        target.judge(daemon, "turns apart")
    }
}
