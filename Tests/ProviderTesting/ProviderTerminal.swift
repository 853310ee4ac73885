public import Baton
import BusTesting
public import TerminalTesting

/// A shared terminal whose workers sign in at a provider: private bus, real batond, real agent, real provider.
public struct ProviderTerminal: Sendable {
    public let terminal: Terminal
    public let daemon: Program
    public let device: Device

    public init(terminal: Terminal, daemon: Program, device: Device) {
        self.terminal = terminal
        self.daemon = daemon
        self.device = device
    }

    /// - Parameter identity: More lines of the section `identity`.
    /// - Parameter settings: Other sections.
    public static func start(
        at issuer: String, client: String = "baton", identity: [String] = [], settings: String = Terminal.patient,
        apps: [String: String] = [:], caFile: String? = nil, arguments: [String] = [], agent: Bool = true
    ) async throws -> ProviderTerminal {
        let terminal = try Terminal(settings: "", accounts: false, apps: apps)
        try terminal.configure(
            Self.settings(issuer, client, identity + (caFile.map { ["ca-file: \($0)"] } ?? [])) + settings,
            accounts: false)
        let daemon = try await terminal.startDaemon(arguments, agent: agent)
        return ProviderTerminal(terminal: terminal, daemon: daemon, device: try await terminal.device())
    }

    public static func settings(_ issuer: String, _ client: String, _ identity: [String]) -> String {
        // What a slow machine has not told the provider by then, the receipt calls pending.
        let wait = identity.contains { $0.hasPrefix("sign-out-wait") } ? [] : ["sign-out-wait: 9s"]
        let lines =
            [
                "kind: oidc", "authority: \"\(issuer)\"", "client-id: \(client)",
                "post-logout-redirect-uri: http://127.0.0.1:8400/signed-out",
            ] + wait + identity
        return "identity:\n" + lines.map { "  \($0)\n" }.joined()
    }

    /// Signs in as a worker does: opens the page, types, and lets the provider send the browser back.
    @discardableResult
    public func signIn(
        _ account: ProviderAccount, with browser: some ProviderBrowser, _ options: ProviderSignIn = ProviderSignIn()
    ) async throws -> (epoch: Epoch, account: Account) {
        let device = device
        return try await device.signIn(options) { step in
            do {
                switch step.kind {
                case .openURL:
                    try await Self.deliver(try await browser.signIn(at: step.url, as: account), to: device)
                case .deviceCode:
                    let page = step.verificationURIComplete.isEmpty ? step.url : step.verificationURIComplete
                    try await browser.answerDevice(at: page, as: account, approves: true)
                }
            } catch {
                // Nobody brings an answer; the sign-in says how that ends.
                try? await device.cancelSignIn()
            }
        }
    }

    /// Brings a redirect home: to the loopback page, or as the desktop does with a private-use scheme.
    public static func deliver(_ redirect: String, to device: Device) async throws {
        if redirect.hasPrefix("http") {
            _ = try await WebClient().get(redirect)
        } else {
            _ = try await device.handleResponse(url: redirect)
        }
    }

    /// Starts a sign-in and gives the address that it wants opened; the task ends as the sign-in does.
    public func beginSignIn(
        _ options: ProviderSignIn = ProviderSignIn()
    ) async throws -> (step: SignInStep, task: Task<Epoch, any Error>) {
        let (steps, found) = AsyncStream.makeStream(of: SignInStep.self)
        let device = device
        let task = Task {
            defer { found.finish() }
            return try await device.signIn(options) { found.yield($0) }.epoch
        }
        for await step in steps { return (step, task) }
        _ = try await task.value
        throw TestingError("a sign-in without a step")
    }

    /// The contract's error that `body` ends with; nil when it ends well.
    public func refusal(_ body: () async throws -> Void) async throws -> BatonError? {
        do {
            try await body()
            return nil
        } catch let error as BatonError {
            return error
        }
    }

    public func phase() async throws -> Phase { try await device.deviceInformation().phase }

    /// Waits until `batonctl receipts` says something else than `pending` of the newest turn.
    public func settledProvider() async throws -> ProviderOutcome {
        var outcome = ProviderOutcome.pending
        try await eventually {
            guard let receipt = try await device.receipts(newest: 1).first else { return false }
            outcome = receipt.provider
            return outcome != .pending
        }
        return outcome
    }
}
