import Baton
import Glibc
import Presentation
import QRCodes

/// Shows the worker what a sign-in at the provider needs of them, and opens the page.
final class SignInDisplay: Sendable {
    private let isJSON: Bool
    private let opensPages: Bool
    private let showsQRCode: Bool
    private let countdown = Countdown()

    init(isJSON: Bool, opensPages: Bool, showsQRCode: Bool) {
        self.isJSON = isJSON
        self.opensPages = opensPages
        self.showsQRCode = showsQRCode
    }

    /// Signs in, and shows each step until that is done.
    func follow(_ options: ProviderSignIn, on device: Device) async throws -> (epoch: Epoch, account: Account) {
        try await follow { step in try await device.signIn(options, step: step) }
    }

    /// Shows each step of the work until it is done.
    func follow<Value>(
        _ work: (@escaping @Sendable (SignInStep) async -> Void) async throws -> Value
    ) async throws -> Value {
        // The provider may take its time before there is anything to show.
        if !isJSON, isatty(STDERR_FILENO) == 1 { Terminal.complain(Text.signInBegins) }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            let (steps, tell) = AsyncStream.makeStream(of: SignInStep.self)
            group.addTask { await self.show(steps) }
            defer { group.cancelAll() }
            return try await work { tell.yield($0) }
        }
    }

    private func show(_ steps: AsyncStream<SignInStep>) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.countdown.run() }
            for await step in steps {
                if isJSON {
                    if let line = try? JSONOutput.line(SignInStepReport(step: step)) { Terminal.say(line) }
                } else {
                    countdown.clear()
                    for text in Self.lines(step, opens: opensPages) { Terminal.complain(text) }
                    if step.kind == .deviceCode, showsQRCode { showQRCode(of: step) }
                    Terminal.complain(Text.signInWaits)
                    countdown.show(until: step.kind == .deviceCode ? step.expires : 0)
                }
                if step.kind == .openURL, step.opener == .caller, opensPages {
                    // A browser may stay in the foreground for as long as it likes, so nothing waits for it here.
                    group.addTask {
                        if let problem = await PageOpener.problem(opening: step.url) { Terminal.complain(problem) }
                    }
                }
            }
        }
        countdown.clear()
    }

    static func lines(_ step: SignInStep, opens: Bool) -> [String] {
        switch (step.kind, step.opener) {
        case (.openURL, .caller):
            [opens ? Text.pageOpens : Text.openPage, "  " + step.url.printable]
        case (.openURL, .agent): [Text.agentOpens]
        case (.deviceCode, _):
            [Text.useOtherDevice]
                + rows([
                    (Text.worker(\.address), step.url.printable),
                    (Text.worker(\.code), step.userCode.printable),
                ])
        }
    }

    private static func rows(_ rows: [(label: String, value: String)]) -> [String] {
        let width = rows.map(\.label.count).max() ?? 0
        return rows.map { "  \($0.label.padded(to: width + 2))\($0.value)" }
    }

    private func showQRCode(of step: SignInStep) {
        guard let code = QRCode(step.scanned) else { return Terminal.complain(Text.noQRCode) }
        if let columns = Terminal.columns(of: STDERR_FILENO), columns < code.columns {
            return Terminal.complain(Text.narrowForQRCode(code.columns))
        }
        let isColored = isatty(STDERR_FILENO) == 1 && Terminal.environment["TERM"] != "dumb"
        for line in code.lines(isColored: isColored) { Terminal.complain(line) }
    }
}

/// The JSON of a step of `sign-in`.
struct SignInStepReport: Encodable {
    var step: SignInStep
}
