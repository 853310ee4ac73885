import Baton
import BusTesting
import DBus
import Glibc
import TerminalTesting

/// What honest apps wait for beside a process of the same user that means ill.
///
/// Two terminals take turns: on one nothing else happens, on the other an attack is under way at each sign-out. What is
/// measured is how long after the call of `SignOut` batond has answered an app's acknowledgement, for each app by itself.
struct HostileTimes {
    let rounds: Int
    /// The only attacks to be tried; empty: all.
    var only: [String] = []

    private static let script = "\(Terminal.package)/Tests/FireTests/hostile.py"
    /// What it prints when its attack is under way; the others have prepared by "done" what they do at the sign-out, or
    /// their harm is in place by then.
    ///
    /// FireTests wait for the end of some of these, so that a receipt says the same each time. Here the sign-out must
    /// come in the middle of it.
    private static let begun = [
        "wrong-signatures": "ready", "registers": "ready", "leaves": "ready", "calls": "ready",
        "floods": "all are registered",
    ]
    /// What it prints when it has done what it begins with the worker.
    private static let inTurn = ["comes-and-goes": "gone again"]
    /// These end by themselves, and may then have been too short.
    private static let passing: Set = ["wrong-signatures", "registers", "leaves"]
    private static let apps = 5
    /// Short, since most attacks are over only when the attacker's time is.
    private static let settings = "barrier: {soft: 400ms, hard: 1s, containment: 2s, absolute: 3s}\n"

    func run() async throws {
        print(
            "\nHonest apps' sign-out beside a process that means ill, \(Self.apps) apps, \(rounds) rounds each, quiet and "
                + "meanwhile in turn; target of p99: 2 times the quiet run's:")
        for kind in try await kinds() { try await measure(kind) }
    }

    private func kinds() async throws -> [String] {
        guard only.isEmpty else { return only }
        let script = try Program([Self.script, "kinds"])
        guard await script.end() == 0 else { throw FloorFault("hostile.py: \(script.output)") }
        return script.output.split { " \n".contains($0) }.map(String.init)
    }

    private func measure(_ kind: String) async throws {
        let calm = try await Ward(apps: Self.apps, settings: Self.settings)
        let attacked = try await Ward(apps: Self.apps, settings: Self.settings)
        // The first turns bring in what stays.
        for ward in [calm, attacked] { for _ in 0..<3 { _ = try await ward.turn() } }
        var (quiet, during): ([Duration], [Duration]) = ([], [])
        var (missed, over) = (0, 0)
        for _ in 0..<rounds {
            let before = try await calm.turn()
            quiet += before.times
            let hostile = try attacked.terminal.run([Self.script, kind])
            try await hostile.line(containing: Self.begun[kind] ?? "done")
            let epoch = try await attacked.signIn()
            if let line = Self.inTurn[kind] { try await hostile.line(containing: line) }
            if Self.passing.contains(kind), hostile.output.contains("done") { over += 1 }
            let meanwhile = try await attacked.signOut(epoch)
            await hostile.kill()
            during += meanwhile.times
            missed += before.refused + meanwhile.refused
            // What the attacker left in the queues must not disturb the quiet terminal's next turn.
            try await attacked.rest()
        }
        let (base, own) = (Spread(quiet), Spread(during))
        let ratio = Double(own.late) / Double(max(1, base.late))
        let remark =
            (missed == 0 ? "" : "; \(missed) acknowledgements refused")
            + (over == 0 ? "" : "; the attack was over before \(over) of the sign-outs")
            + (during.count + missed < rounds * Self.apps ? "; \(during.count) measured" : "")
        print(
            "  \(kind): p50 \(milli(base.median)) ms quiet, \(milli(own.median)) meanwhile; p99 \(milli(base.late)) ms quiet, "
                + "\(milli(own.late)) meanwhile, \((ratio * 100).rounded() / 100) times\(ratio <= 2 ? "" : "   over it")\(remark)"
        )
        for ward in [calm, attacked] { await ward.end() }
    }

    private func milli(_ microseconds: Int64) -> Double { Double(microseconds / 10) / 100 }

    /// In microseconds.
    private struct Spread {
        let median: Int64
        let late: Int64

        init(_ list: [Duration]) {
            let sorted = list.sorted()
            median = sorted.isEmpty ? 0 : sorted[sorted.count / 2].microseconds
            late = sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 99 / 100)].microseconds
        }
    }
}

/// A terminal with its honest apps and the desk at which workers come and go.
private struct Ward {
    let terminal: Terminal
    private let daemon: Program
    private let desk: Peer
    private let apps: [HonestApp]

    init(apps count: Int, settings: String) async throws {
        terminal = try Terminal(settings: settings, in: FloorTimes.state)
        daemon = try await terminal.startDaemon()
        desk = try await Peer(terminal)
        var apps: [HonestApp] = []
        for number in 0..<count { apps.append(try await HonestApp(terminal, "org.example.Honest\(number)")) }
        self.apps = apps
    }

    /// A worker comes and goes.
    func turn() async throws -> (times: [Duration], refused: Int) { try await signOut(signIn()) }

    /// The worker of this turn goes.
    ///
    /// - Returns: How long each app took, as far as it was this call that signed the worker out, and how many were refused.
    func signOut(_ epoch: Epoch) async throws -> (times: [Duration], refused: Int) {
        let start = ContinuousClock.now
        async let called = desk.signOut()
        var (times, refused): ([Duration], Int) = ([], 0)
        for app in apps {
            guard let end = try await app.answered(epoch) else {
                refused += 1
                continue
            }
            if end > start { times.append(end - start) }
        }
        let receipt = try await desk.receipt(epoch, or: called)
        if receipt.outcome == .quarantined { _ = try await desk.call(Administration.endQuarantine, [:]) }
        return (times, refused)
    }

    /// Somebody else's attempts, sign-outs and what they leave behind may be in the way; each of them ends.
    func signIn() async throws -> Epoch {
        var epoch: Epoch?
        while epoch == nil {
            let refusal = try await desk.refusal { epoch = try await desk.signIn("ana", pin: "1234") }
            switch refusal {
            case nil: break
            case "Quarantined": _ = try await desk.call(Administration.endQuarantine, [:])
            // Who has the user's rights may say what the mode is.
            case "NotShared": _ = try await desk.call(Administration.setDeviceMode, "shared")
            case "SigningIn", "SigningOut", "UserCanceled": try await Task.sleep(for: .milliseconds(20))
            case let refusal?: throw FloorFault("nobody can sign in: \(refusal)")
            }
        }
        return epoch ?? 0
    }

    /// Returns when batond has answered all that was sent before.
    func rest() async throws { _ = try await desk.call(Device1.getDeviceMode) }

    func end() async {
        for app in apps { app.leave() }
        await daemon.kill()
    }
}
