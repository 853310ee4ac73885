import Testimony
import Vocabulary

@testable import Providers
@testable import SessionMachine
@testable import Supervisor

/// The same round as FireTests has with real processes: a worker comes and goes, and the next one too.
extension ScriptedTerminal {
    /// - Parameter orders: At which step of its own each life is killed, one after the other; the last one lives.
    func round(_ orders: [Int]) async {
        var rest = orders[...]
        await start(until: rest.popFirst())
        await throughKills(&rest) { terminal in
            try await terminal.registerApps()
            try await terminal.signIn("ana")
        }
        await throughKills(&rest) { try await $0.settle() }
        await throughKills(&rest) { terminal in
            try await terminal.signIn("bo")
            try await terminal.settle()
        }
        look()
    }

    /// A call that a kill broke off is not repeated: the caller finds out what became of it, as any caller must.
    private func throughKills(_ rest: inout ArraySlice<Int>, _ body: (isolated ScriptedTerminal) async throws -> Void)
        async
    {
        do {
            try await body(self)
        } catch is SupervisorLife.Killed {
            bury()
            await start(until: rest.popFirst())
            await throughKills(&rest) { try await $0.settle() }
        } catch {
            testimony.note("\(error)")
        }
    }

    /// - Parameter again: Only those that have tried before.
    private func registerApps(again: Bool = false) async throws {
        for place in apps.indices where apps[place].isRunning && apps[place].instance == nil {
            guard !again || apps[place].takesPart else { continue }
            apps[place].takesPart = true
            let app = apps[place]
            let request = Registering(sender: app.sender, app: app.key, pid: app.pid)
            let answer = try await ask { .register($1, request) }
            guard case .registered(let registered) = answer else {
                if answer == .refused(.journalFailed) { continue }
                testimony.note("\(app.key.id) was not registered: \(answer)")
                continue
            }
            apps[place].instance = registered.instance
            if registered.clearThrough > 0 { clear(place, registered.clearThrough, in: life) }
            if registered.holder != nil { take(registered.epoch, place) }
        }
    }

    private func signIn(_ name: String) async throws {
        let caller = caller
        let answer = try await ask { supervisor, call in
            var request = SignInRequest()
            request.username = name
            supervisor.assumeIsolated { $0.signInRequests[call] = request }
            return .signIn(call, caller)
        }
        switch answer {
        case .signedIn(let epoch, let holder): testimony.began(epoch, holder.attributes["username"])
        case .refused(.journalFailed), .refused(.quarantined): break
        default: testimony.note("a sign-in was answered with \(answer)")
        }
    }

    /// The device comes to its end by itself and by the worker's sign-out, and is ready.
    private func settle() async throws {
        for _ in 1...20 {
            try await registerApps(again: true)
            switch phase {
            case .ready: return
            case .quarantined where disk.faultsMade > 0:
                // An administrator ends it, as soon as it can be written.
                _ = try await ask { .signOut($1, epoch: nil, .user) }
                if phase == .quarantined { _ = try await ask { .endQuarantine($1) } }
            case .inUse, .clearing:
                let answer = try await ask { .signOut($1, epoch: nil, .user) }
                guard case .signedOut(let epoch, let receipt) = answer else {
                    testimony.note("a sign-out was answered with \(answer)")
                    return
                }
                if let receipt {
                    testimony.ended(
                        epoch, receipt.outcome.rawValue, holding: apps.filter { $0.holds == epoch }.map(\.key.id))
                }
            default:
                testimony.note("the device is \(phase?.rawValue ?? "away")")
                return
            }
        }
        testimony.note("the device does not become ready; it is \(phase?.rawValue ?? "away")")
    }

    // MARK: What stands in the end

    private func look() {
        let receipts = disk.receipts
        // What could not be synchronized may be there all the same, and is better than what was said; then the next supervisor
        // begins shut.
        let isBetter = disk.fault == .unsure && wasShut
        let written = receipts.mapValues { receipt in
            let said = testimony.outcomes[receipt.epoch]
            let outcome = isBetter && said == "quarantined" ? "quarantined" : receipt.outcome.rawValue
            return Testimony.Written(worker: receipt.holder.attributes["username"], outcome: outcome)
        }
        testimony.check(testimony.begun, written)
        for fault in disk.faults { testimony.note(fault) }
        guard disk.faultsMade == 0 else { return }
        let isContained = apps.contains { $0.word == .failed }
        for receipt in receipts.values.sorted(by: { $0.epoch < $1.epoch }) {
            let contained = receipt.participants.filter { $0.outcome == .contained }.map(\.app)
            let others = receipt.participants.filter { $0.outcome != .contained }
            if !others.allSatisfy({ [.cleared, .nothingToClear].contains($0.outcome) }) {
                testimony.note("not all apps cleared: \(receipt)")
            }
            // It is contained in the first turn that it takes part in, and is not there afterwards.
            if receipt.outcome != (contained.isEmpty ? .cleared : .contained) || !contained.isEmpty && !isContained {
                testimony.note("the outcome is \(receipt.outcome): \(receipt)")
            }
        }
    }
}
