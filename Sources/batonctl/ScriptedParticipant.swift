import Baton
import Subprocess
import SystemPackage

/// A participant whose work is done by shell commands.
struct ScriptedParticipant: Sendable {
    var signedInCommand: String?
    var clearCommand: String?
    var isQuiet: Bool
    /// Nil: text for people.
    var lines: EventLines?

    /// The clear command did not end with 0.
    struct Failure: Error {}

    func registered() { tell(Text.Participant.ready, ParticipantReport(.ready)) }

    func postponed(_ error: BatonError) {
        Terminal.complain(Text.postponed(error))
        var report = ParticipantReport(.postponed)
        report.problem = error.message
        if !isQuiet { lines?.write(report) }
    }

    func signedIn(_ account: Account, _ epoch: Epoch) async {
        var report = ParticipantReport(.signedIn)
        report.account = account
        report.epoch = epoch
        if !isQuiet { tell(Text.Participant.isHere(account), report) }
        guard let signedInCommand else { return }
        // The app is not asked whether it likes who came; that its command failed is for its log.
        if let problem = await run(signedInCommand, account, epoch) {
            complain(Text.Participant.signedInFailed(problem), .signedInFailed, epoch, problem)
        }
    }

    func clear(_ request: ClearRequest) async throws -> AcknowledgementOutcome {
        guard let clearCommand else { return .nothingToClear }
        if let problem = await run(clearCommand, request.account, request.epoch) {
            complain(Text.Participant.clearFailed(problem), .notCleared, request.epoch, problem)
            throw Failure()
        }
        var report = ParticipantReport(.cleared)
        report.epoch = request.epoch
        report.outcome = .cleared
        if !isQuiet { tell(Text.Participant.cleared, report) }
        return .cleared
    }

    private func tell(_ text: String, _ report: ParticipantReport) {
        if let lines { lines.write(report) } else { Terminal.say(text) }
    }

    private func complain(_ text: String, _ event: ParticipantReport.Event, _ epoch: Epoch, _ problem: String) {
        Terminal.complain(text)
        var report = ParticipantReport(event)
        report.epoch = epoch
        report.problem = problem
        if !isQuiet { lines?.write(report) }
    }

    /// Nil when the command ended with 0, else how it ended.
    private func run(_ command: String, _ account: Account?, _ epoch: Epoch) async -> String? {
        // Its output passes through, beside the lines for a program, and a variable that is not known is empty and not left over from elsewhere.
        let environment = Environment.inherit.updating([
            "BATON_EPOCH": "\(epoch)", "BATON_USERNAME": account?.username ?? "", "BATON_NAME": account?.name ?? "",
        ])
        do {
            let result = try await Subprocess.run(
                .path("/bin/sh"), arguments: ["-c", command], environment: environment, input: .none,
                output: lines == nil ? .currentStandardOutput : .currentStandardError, error: .currentStandardError)
            return switch result.terminationStatus {
            case .exited(0): nil
            case .exited(let code): Text.Participant.exited(code)
            case .signaled(let signal): Text.Participant.signalled(signal)
            }
        } catch {
            return Text.Participant.notStarted("\(error)")
        }
    }
}
