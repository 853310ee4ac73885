import ArgumentParser
import Baton
import DBus
import LocalAccounts

struct Unlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: Text.Help.unlock,
        discussion: Text.Help.example("batonctl unlock", "batonctl unlock --pin-stdin < pin.txt"))

    @Flag(help: ArgumentHelp(Text.Help.pinStdin))
    var pinStdin = false

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let device = try await bus.device()
            let pinStdin = pinStdin
            do {
                try await interruptibly {
                    let pin = try await PINPrompt.ask(fromInput: pinStdin)
                    try await device.unlock(pin: OwnedDescriptor(sealing: pin))
                }
            } catch let error as BatonError where error.code == .notAuthorized {
                // The worker was refused, not the one who runs the command.
                Terminal.complain(Text.refusal(error))
                throw ExitCode(ExitStatus.refused)
            }
            Terminal.say(try output.json ? JSONOutput.document(LockReport(locked: false)) : Text.unlocked)
        }
    }
}
