import Baton
import Subprocess
import SystemPackage

/// A participant whose work is done by shell commands.
struct ScriptedParticipant: Sendable {
    var signedInCommand: String?
    var clearCommand: String?
    var isQuiet: Bool

    /// The clear command did not end with 0.
    struct Failure: Error {}

    func signedIn(_ account: Account, _ epoch: UInt64) async {
        if !isQuiet { Terminal.say(Text.Participant.isHere(account)) }
        guard let signedInCommand else { return }
        // The app is not asked whether it likes who came; that its command failed is for its log.
        if let problem = await run(signedInCommand, account, epoch) {
            Terminal.complain(Text.Participant.signedInFailed(problem))
        }
    }

    func clear(_ request: ClearRequest) async throws -> AcknowledgementOutcome {
        guard let clearCommand else { return .nothingToClear }
        if let problem = await run(clearCommand, request.account, request.epoch) {
            Terminal.complain(Text.Participant.clearFailed(problem))
            throw Failure()
        }
        if !isQuiet { Terminal.say(Text.Participant.cleared) }
        return .cleared
    }

    /// Nil when the command ended with 0, else how it ended.
    private func run(_ command: String, _ account: Account?, _ epoch: UInt64) async -> String? {
        // Its output passes through, and a variable that is not known is empty and not left over from elsewhere.
        let environment = Environment.inherit.updating([
            "BATON_EPOCH": "\(epoch)", "BATON_USERNAME": account?.username ?? "", "BATON_NAME": account?.name ?? "",
        ])
        do {
            let result = try await Subprocess.run(
                .path("/bin/sh"), arguments: ["-c", command], environment: environment, input: .none,
                output: .currentStandardOutput, error: .currentStandardError)
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
