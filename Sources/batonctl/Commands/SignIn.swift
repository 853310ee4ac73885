import ArgumentParser
import Baton
import DBus
import LocalAccounts

struct SignIn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in", abstract: Text.Help.signIn,
        discussion: Text.Help.signInDiscussion + "\n\n"
            + Text.Help.example(
                "batonctl sign-in ana", "batonctl sign-in ana --pin-stdin < pin.txt", "batonctl sign-in",
                "batonctl sign-in --device-code", "batonctl sign-in --prompt login --max-age 5min"))

    @Argument(help: ArgumentHelp(Text.Help.signInUsername), completion: Completions.accounts)
    var username: String?

    @Flag(help: ArgumentHelp(Text.Help.pinStdin))
    var pinStdin = false

    @OptionGroup(title: Text.Help.providerOptions) var provider: ProviderSignInOptions
    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let device = try await bus.device()
            let hasProvider = try await device.deviceInformation().identity == .oidc
            let turn: (epoch: Epoch, account: Account)
            do {
                turn = try await hasProvider ? atProvider(device) : withPIN(device)
            } catch is Interrupted {
                // Cancelled in so many words; that this process ends would say the same a moment later.
                try? await device.cancelSignIn()
                Terminal.complain(Text.signInCancelled)
                throw ExitCode(ExitStatus.refused)
            } catch let error as BatonError where error.code == .notAuthorized {
                // The worker was refused, not the one who runs the command.
                Terminal.complain(Text.refusal(error))
                throw ExitCode(ExitStatus.refused)
            }
            guard output.json else {
                return Terminal.say(Text.signedIn(turn.account, epoch: turn.epoch).printable)
            }
            let report = SignInReport(epoch: turn.epoch, account: turn.account)
            // After lines of steps it is a line too.
            Terminal.say(try hasProvider ? JSONOutput.line(report) : JSONOutput.document(report))
        }
    }

    private func withPIN(_ device: Device) async throws -> (epoch: Epoch, account: Account) {
        guard let username else { throw ValidationError(Text.whoSignsIn) }
        if let option = provider.firstUsed { throw ValidationError(Text.onlyForProvider(option)) }
        let pinStdin = pinStdin
        return try await interruptibly {
            let pin = try await PINPrompt.ask(fromInput: pinStdin)
            let sealed = try OwnedDescriptor(sealing: pin)
            return try await device.signIn(username: username, pin: sealed)
        }
    }

    private func atProvider(_ device: Device) async throws -> (epoch: Epoch, account: Account) {
        if pinStdin { throw ValidationError(Text.onlyForLocalAccounts("--pin-stdin")) }
        let options = try provider.signIn(username: username)
        let display = SignInDisplay(
            isJSON: output.json, opensPages: !provider.noBrowser, showsQRCode: !provider.noQR)
        return try await interruptibly { try await display.follow(options, on: device) }
    }
}
