import Baton
import Glibc
import ProviderTesting
import TerminalTesting

/// Workers come and go, and batond must not grow by it.
struct MemoryRounds {
    let rounds: Int

    func run() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ProviderTerminal.start(
            at: provider.issuer, settings: "agent: {required: false, start: false}\n" + Terminal.patient, agent: false)
        let workers = [DevelopmentProviderProcess.ana, DevelopmentProviderProcess.ben]
        print("\(rounds) sign-ins and sign-outs at the development provider; memory of batond:")
        let step = max(1, rounds / 10)
        var warm: Int?
        func turn(_ round: Int) async throws {
            let worker = workers[round % workers.count]
            try await ward.signIn(worker, with: provider.browser())
            let receipt = try await ward.device.signOut().receipt
            guard receipt?.provider == .signedOut else {
                print(
                    "round \(round): provider \(receipt?.provider.rawValue ?? "-"): \(receipt?.providerExplanation ?? "")"
                )
                exit(1)
            }
        }
        for round in 1...rounds {
            try await turn(round)
            if round % step == 0 {
                let memory = ward.daemon.residentMemory
                print(
                    "  after \(padded(round)) rounds: \(padded(memory)) KiB resident, "
                        + ward.daemon.countedDescriptors)
                // What the first rounds bring in, such as libraries and caches, stays.
                if warm == nil { warm = ward.daemon.memoryParts.own }
            }
        }
        let target = MemoryTarget(kibibytes: 40 << 10, of: "with a provider")
        target.judgeGrowth(ward.daemon, since: warm, rounds: rounds - step)
        target.judge(ward.daemon, "turns in a row")
        print(
            "  left at the provider: \(try await provider.state("live_sessions")) sessions, "
                + "\(try await provider.state("live_refresh_tokens")) refresh tokens")
        try await Task.sleep(for: MemoryTarget.rest)
        try await turn(rounds + 1)
        _ = try await ward.device.deviceInformation()
        target.judge(ward.daemon, "turns apart")
        try await IdleWindows.print(of: ward.daemon, atMost: 10)
    }

    private func padded(_ number: Int) -> String {
        let text = "\(number)"
        return String(repeating: " ", count: max(0, 6 - text.count)) + text
    }
}
