import Baton
import BusTesting
import FolderTesting
import Glibc
import ProviderTesting
import TerminalTesting
import Testing

@Suite("batond killed in turns with a provider", .timeLimit(.minutes(4)))
struct ProviderKillTests {
    /// At which of the steps that begin so. The first sign-in is cancelled, with the second Ana takes the device, the third is
    /// Ben's while she has it, and with the fourth he takes it after her.
    @Test(arguments: [
        "1:before authenticate", "1:before abandon", "2:before authenticate", "1:before adopt", "3:before authenticate",
        "1:before discard", "1:before signOutAtProvider", "2:before adopt",
    ])
    func `what anybody was told is true, and the next worker has the device and tokens of their own`(
        step: String
    ) async throws {
        let shift = try await KilledShift(step)
        try await shift.cancelledSignIn()
        let first = try await shift.turn(
            of: DevelopmentProviderProcess.ana, disturbedBy: DevelopmentProviderProcess.ben)
        let second = try await shift.turn(of: DevelopmentProviderProcess.ben)
        if let first, let second {
            let isAnother = second.accessToken != first.accessToken
            #expect(isAnother && second.epoch > first.epoch, "\(step)")
        }
        let name = contents(shift.file) ?? "never"
        let beginning = step.drop { $0 != ":" }.dropFirst()
        #expect(name.hasPrefix(beginning), "\(step) is at \(name)")
        await shift.end()
    }
}

/// Workers of a terminal whose batond is killed once and started again as systemd does it.
private struct KilledShift {
    let step: String
    /// Says at which step it was killed.
    let file: String
    private let provider: DevelopmentProviderProcess
    private let ward: ProviderTerminal
    /// In a process of its own: whatever goes wrong, it is not this one that is stopped.
    private let puppet: Puppet
    private let app: TokenApp

    init(_ step: String) async throws {
        self.step = step
        provider = try await DevelopmentProviderProcess.start()
        let terminal = try Terminal(settings: "", accounts: false)
        try terminal.configure(
            ProviderTerminal.settings(provider.issuer, "baton", []) + "agent: {grace: 60s}\n" + Terminal.patient,
            accounts: false)
        file = "\(terminal.folder)/order"
        let parts = step.split(separator: ":", maxSplits: 1)
        let manager = try await terminal.startManaged(
            environment: ["BATON_KILL_AT": "batond:\(parts[0]):\(file):\(parts[1])"])
        ward = ProviderTerminal(terminal: terminal, daemon: manager, device: try await terminal.device())
        puppet = try await Puppet(terminal)
        app = try await TokenApp.register(terminal, as: puppet.peer)
    }

    func end() async {
        ward.daemon.signal(SIGTERM)
        _ = await ward.daemon.end()
    }

    /// Nil when the kill broke it off; batond is back then.
    private func unlessKilled<Value>(_ body: () async throws -> Value) async throws -> Value? {
        do {
            return try await body()
        } catch let error as DeviceError {
            guard case .noDaemon = error, access(file, F_OK) == 0 else { throw error }
            try await ward.daemon.line(containing: "the agent has registered", count: 2)
            return nil
        }
    }

    func cancelledSignIn() async throws {
        guard let page = try await unlessKilled({ try await ward.beginSignIn() }) else {
            #expect(try await ward.phase() == .ready, "\(step)")
            return
        }
        _ = try await unlessKilled { try await ward.device.cancelSignIn() }
        let refused = try await unlessKilled { try await ward.refusal { _ = try await page.task.value } }
        if let refused { #expect(refused?.code == .userCanceled, "\(step)") }
        #expect(try await ward.phase() == .ready, "\(step)")
        // The worker comes too late with it.
        let redirect = try await provider.browser().signIn(at: page.step.url, as: DevelopmentProviderProcess.ana)
        #expect(try await ward.device.handleResponse(url: redirect) == false, "\(step)")
        #expect(try await ward.phase() == .ready, "\(step)")
    }

    /// A worker comes, somebody else tries to, and the worker goes. Gives the worker's token, if batond had one.
    func turn(
        of worker: ProviderAccount, disturbedBy stranger: ProviderAccount? = nil
    ) async throws -> TokenResult? {
        let before = try await alive()
        var told = try await signIn(worker)
        let phase = try await ward.phase()
        // Begun, but the tokens never got to where they are kept.
        let isOrphaned = told == nil && phase != .ready
        if told == nil, !isOrphaned { told = try await signIn(worker) }
        let epoch = try await ward.device.getCurrentAccount().epoch
        #expect(told == nil ? isOrphaned : told == epoch, "\(step)")
        let token = try await self.token(of: worker, epoch)
        #expect((token == nil) == isOrphaned, "\(step)")
        if !isOrphaned { try await ward.daemon.line(containing: "manager: stored baton-session-\(epoch)-") }

        var (latest, strangers) = (token, Int64(0))
        if let stranger {
            strangers = try await left(by: stranger, beside: before + 2)
            latest = try await self.token(of: worker, epoch)
            #expect((latest == nil) == isOrphaned, "\(step)")
        }

        let (receipt, isAnswered) = try await signOut(epoch)
        #expect(receipt.outcome == .cleared, "\(step): \(receipt)")
        #expect(try await ward.phase() == .ready, "\(step)")
        let said = try await ward.settledProvider()
        #expect(said == (isOrphaned ? .notTold : .signedOut), "\(step): \(receipt)")
        if said == .signedOut {
            #expect(try await alive() == before + strangers, "\(step)")
        }
        // Access tokens that a batond before this one had are kept nowhere, and so run out by themselves.
        if said == .signedOut, isAnswered, let latest {
            let me = try await WebClient().get(
                "\(provider.issuer)/me", headers: [("authorization", "Bearer \(latest.accessToken)")])
            #expect(me.status == 401, "\(step)")
        }
        #expect(try await refusal { try await app.silently() }.code == .notSignedIn, "\(step)")
        return token
    }

    /// Of sessions and refresh tokens at the provider; each sign-in there is one of each.
    private func alive() async throws -> Int64 {
        try await provider.state("live_sessions") + provider.state("live_refresh_tokens")
    }

    /// Gives the epoch, if there was an answer.
    private func signIn(_ worker: ProviderAccount) async throws -> Epoch? {
        try await unlessKilled { try await ward.signIn(worker, with: provider.browser()).epoch }
    }

    /// The worker holds the device, and gets nobody else's token. Nil: batond has none, and says that they must show who they
    /// are.
    private func token(of worker: ProviderAccount, _ epoch: Epoch) async throws -> TokenResult? {
        let account = try await ward.device.getCurrentAccount()
        #expect(account.epoch == epoch && account.current?.username == worker.username, "\(step)")
        #expect(try await ward.phase() == .inUse, "\(step)")
        do {
            let token = try await app.silently()
            #expect(token.epoch == epoch && token.account == account.current, "\(step)")
            return token
        } catch let error as BatonError where error.code == .interactionRequired {
            return nil
        }
    }

    /// Somebody else signs in while the device is a worker's. Gives how much of that stays alive at the provider.
    private func left(by stranger: ProviderAccount, beside before: Int64) async throws -> Int64 {
        let attempt = { try await ward.refusal { try await ward.signIn(stranger, with: provider.browser()) } }
        guard let refused = try await unlessKilled(attempt) else { return try await alive() - before }
        #expect(refused?.code == .accountMismatch, "\(step)")
        // What came of it is given back, which nobody waits for.
        try await eventually { try await alive() <= before }
        return 0
    }

    /// The receipt that the device keeps, and whether the one who asked for the sign-out had an answer.
    private func signOut(_ epoch: Epoch) async throws -> (receipt: Receipt, isAnswered: Bool) {
        guard let answer = try await unlessKilled({ try await ward.device.signOut() }) else {
            // The sign-out that goes on is joined, or it is over.
            _ = try await ward.device.signOut(epoch: epoch)
            return (try await ward.device.receipt(epoch), false)
        }
        let receipt = try await ward.device.receipt(epoch)
        #expect(answer.epoch == epoch && answer.receipt?.outcome == receipt.outcome, "\(step): \(receipt)")
        return (receipt, true)
    }
}
