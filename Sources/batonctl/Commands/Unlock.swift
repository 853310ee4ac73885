import ArgumentParser
import Baton
import DBus
import LocalAccounts

struct Unlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: Text.Help.unlock,
        discussion: Text.Help.example(
            "batonctl unlock", "batonctl unlock --pin-stdin < pin.txt", "batonctl unlock --device-code"))

    @Flag(help: ArgumentHelp(Text.Help.pinStdin))
    var pinStdin = false

    @Flag(help: ArgumentHelp(Text.Help.unlockDeviceCode))
    var deviceCode = false

    @Flag(name: .customLong("no-qr"), help: ArgumentHelp(Text.Help.noQR))
    var noQR = false

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if pinStdin, deviceCode { throw ValidationError(Text.notBoth("--pin-stdin", "--device-code")) }
        if noQR, !deviceCode { throw ValidationError(Text.onlyWith("--no-qr", "--device-code")) }
    }

    func run() async throws {
        try await reporting {
            let device = try await bus.device()
            do {
                try await deviceCode ? unlockByPhone(device) : unlockWithPIN(device)
            } catch is Interrupted where deviceCode {
                try? await device.cancelSignIn()
                Terminal.complain(Text.signInCancelled)
                throw ExitCode(ExitStatus.refused)
            } catch let error as BatonError where error.code == .notAuthorized {
                // The worker was refused, not the one who runs the command.
                Terminal.complain(Text.refusal(error))
                throw ExitCode(ExitStatus.refused)
            }
            guard output.json else { return Terminal.say(Text.unlocked) }
            let report = LockReport(locked: false)
            // After lines of steps it is a line too.
            Terminal.say(try deviceCode ? JSONOutput.line(report) : JSONOutput.document(report))
        }
    }

    private func unlockWithPIN(_ device: Device) async throws {
        let pinStdin = pinStdin
        try await interruptibly {
            let pin = try await PINPrompt.ask(fromInput: pinStdin)
            try await device.unlock(pin: OwnedDescriptor(sealing: pin))
        }
    }

    private func unlockByPhone(_ device: Device) async throws {
        let display = SignInDisplay(isJSON: output.json, opensPages: false, showsQRCode: !noQR)
        try await interruptibly { try await display.follow { step in try await device.unlockByPhone(step: step) } }
    }
}
