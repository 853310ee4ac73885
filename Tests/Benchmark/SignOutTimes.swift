import Baton
import ProviderTesting
import TerminalTesting

/// How long a sign-out takes beside one without a provider, whatever the provider does.
///
/// All in one run, taking turns: on a noisy machine only the ratio says something.
struct SignOutTimes {
    let rounds: Int

    func run() async throws {
        let wait = Duration.milliseconds(500)
        let provider = try await DevelopmentProviderProcess.start()
        let local = try Terminal(settings: Terminal.patient)
        let localDaemon = try await local.startDaemon()
        defer { withExtendedLifetime(localDaemon) {} }
        let localPeer = try await Peer(local)
        let ward = try await ProviderTerminal.start(at: provider.issuer, identity: ["sign-out-wait: 500ms"])
        print("\nMedian of \(rounds) sign-outs each, no app taking part, sign-out-wait: \(wait):")
        var times: [String: [Duration]] = [:]
        for _ in 1...rounds {
            try await localPeer.signIn("ana", pin: "1234")
            times["without a provider", default: []].append(
                try await ContinuousClock().measure { _ = try await localPeer.signOut() })
            for how in ["", "refuse", "garbage", "hang"] {
                try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
                if !how.isEmpty { try await provider.misbehave(how) }
                times[how.isEmpty ? "with a provider" : "provider: \(how)", default: []].append(
                    try await ContinuousClock().measure { _ = try await ward.device.signOut() })
                if !how.isEmpty { try await provider.behave() }
            }
        }
        let base = median(times["without a provider"] ?? [])
        for (name, list) in times.sorted(by: { median($0.value) < median($1.value) }) {
            let value = median(list)
            let over = max(.zero, value - base)
            let verdict = over <= wait + .milliseconds(100) ? "" : "   longer than the wait"
            print("  \(name): \(milliseconds(value)) ms, \(milliseconds(over)) ms more\(verdict)")
        }
    }

    private func median(_ list: [Duration]) -> Duration {
        let sorted = list.sorted()
        return sorted.isEmpty ? .zero : sorted[sorted.count / 2]
    }

    private func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
    }
}
