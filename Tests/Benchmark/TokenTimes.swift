import Baton
import DBus
import Glibc
import ProviderTesting
import TerminalTesting

/// What tokens cost: from memory beside the plainest call that there is, one refresh for many apps, and memory over many
/// requests. All in one run, taking turns: on a noisy machine only the ratios say something.
struct TokenTimes {
    let requests: Int

    func run() async throws {
        try await cached()
        try await shared()
        try await memory()
    }

    /// A token from memory beside `GetDeviceMode`.
    private func cached() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ProviderTerminal.start(at: provider.issuer)
        let app = try await BenchApp(ward.terminal, "org.example.Bench")
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        let rounds = 5000
        var (plain, token): ([Duration], [Duration]) = ([], [])
        for round in 0..<(rounds + 500) {
            let first = try await ContinuousClock().measure { _ = try await app.peer.call(Device1.getDeviceMode) }
            let second = try await ContinuousClock().measure { try await app.ask() }
            // The first ones warm up.
            guard round >= 500 else { continue }
            plain.append(first)
            token.append(second)
        }
        let (mode, silent) = (plain.sorted()[rounds / 2], token.sorted()[rounds / 2])
        print("\nA silent token from memory beside GetDeviceMode, median of \(rounds) each, in turn:")
        print("  GetDeviceMode: \(mode.microseconds) us, AcquireTokenSilently: \(silent.microseconds) us")
        print("  ratio: \(ratio(silent, mode)), target at most 1.50" + (silent > mode * 1.5 ? "   over it" : ""))
        try await app.leave()
    }

    /// A hundred apps want the same token when it has just ended.
    private func shared() async throws {
        // Each token ends at once for us, who hand out none that ends within five minutes.
        let provider = try await DevelopmentProviderProcess.start(["--access-token-lifetime", "200", "--delay", "0.25"])
        let ward = try await ProviderTerminal.start(at: provider.issuer)
        var apps: [BenchApp] = []
        for number in 0..<100 { apps.append(try await BenchApp(ward.terminal, "org.example.Bench\(number)")) }
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        print("\n100 apps want the same token, which has ended; the provider takes 250 ms and what it takes itself:")
        try await provider.misbehave("slow@token")
        guard let first = apps.first else { return }
        try await first.ask()
        for round in 1...5 {
            let one = try await ContinuousClock().measure { try await first.ask() }
            let before = try await provider.state("token")
            let all = try await ContinuousClock().measure {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for app in apps { group.addTask { try await app.ask() } }
                    try await group.waitForAll()
                }
            }
            let refreshes = try await provider.state("token") - before
            let limit = one * 1.2 + .milliseconds(10)
            print(
                "  round \(round): one app \(one.milliseconds) ms, all \(all.milliseconds) ms, "
                    + "\(refreshes) refresh(es), ratio \(ratio(all, one)), target 1.20 and 10 ms"
                    + (all <= limit && refreshes == 1 ? "" : "   over it"))
        }
        try await provider.behave()
        for app in apps { try await app.leave() }
    }

    /// Many requests of a few apps, of which each has one under way.
    private func memory() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ProviderTerminal.start(at: provider.issuer)
        var apps: [BenchApp] = []
        for number in 0..<4 { apps.append(try await BenchApp(ward.terminal, "org.example.Bench\(number)")) }
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        print("\n\(requests) silent requests of four apps; memory of batond:")
        let step = max(1, requests / 10)
        let each = step / apps.count
        var warm: Int?
        let start = ContinuousClock.now
        for part in 1...10 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for app in apps {
                    group.addTask { for _ in 0..<each { try await app.ask() } }
                }
                try await group.waitForAll()
            }
            let memory = ward.daemon.residentMemory
            print("  after \(part * step): \(memory) KiB resident, \(ward.daemon.countedDescriptors)")
            if warm == nil { warm = memory }
        }
        let growth = ward.daemon.residentMemory - (warm ?? 0)
        let seconds = Double(start.duration(to: .now).milliseconds) / 1000
        print(
            "  growth after the first \(step): \(growth) KiB, \(growth * 1024 / max(1, requests - step)) bytes a request; "
                + "\(Int(Double(requests) / max(seconds, 0.001))) requests a second")
        for app in apps { try await app.leave() }
    }

    private func ratio(_ one: Duration, _ other: Duration) -> String {
        let hundredths = Int64(one / other * 100)
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}

/// An app that asks for tokens; it leaves before a sign-out could miss its answer.
struct BenchApp: Sendable {
    let peer: Peer
    private let instance: Instance

    init(_ terminal: Terminal, _ id: String) async throws {
        peer = try await Peer(terminal)
        instance = try await peer.register(id).instance
    }

    func ask() async throws { _ = try await peer.call(Tokens.acquireTokenSilently, [:]) }

    func leave() async throws { try await peer.call(Participants.leave, instance) }
}

extension Duration {
    var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
