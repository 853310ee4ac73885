import ArgumentParser
import Baton
import DBus
import LocalAccounts

struct SignIn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in", abstract: Text.Help.signIn,
        discussion: Text.Help.example("batonctl sign-in ana", "batonctl sign-in ana --pin-stdin < pin.txt"))

    @Argument(help: ArgumentHelp(Text.Help.username))
    var username: String

    @Flag(help: ArgumentHelp(Text.Help.pinStdin))
    var pinStdin = false

    @OptionGroup var bus: BusOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let device = try await bus.device()
            let (username, pinStdin) = (username, pinStdin)
            let turn: (epoch: UInt64, account: Account)
            do {
                turn = try await interruptibly {
                    let pin = try await PINPrompt.ask(fromInput: pinStdin)
                    let sealed = OwnedDescriptor(owning: try PINDescriptor.sealed(pin))
                    return try await device.signIn(username: username, pin: sealed)
                }
            } catch is Interrupted {
                // Cancelled in so many words; that this process ends would say the same a moment later.
                try? await device.cancelSignIn()
                Terminal.complain(Text.signInCancelled)
                throw ExitCode(ExitStatus.refused)
            } catch let error as BatonError where error.code == .notAuthorized {
                // The worker was refused, not the one who runs the command.
                Terminal.complain(Text.failure(error))
                throw ExitCode(ExitStatus.refused)
            }
            Terminal.say(
                try output.json
                    ? JSONOutput.document(SignInReport(epoch: turn.epoch, account: turn.account))
                    : Text.signedIn(turn.account, epoch: turn.epoch).printable)
        }
    }
}
