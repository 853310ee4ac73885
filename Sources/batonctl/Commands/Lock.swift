import ArgumentParser
import Baton
import DBus
import LocalAccounts

struct Lock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: Text.Help.lock,
        discussion: Text.Help.lockDiscussion + "\n\n"
            + Text.Help.example("batonctl lock", "batonctl lock --pin-stdin < pin.txt", "batonctl lock --without-pin"))

    @Flag(help: ArgumentHelp(Text.Help.newPINStdin))
    var pinStdin = false

    @Flag(name: .customLong("without-pin"), help: ArgumentHelp(Text.Help.withoutPIN))
    var withoutPIN = false

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if pinStdin, withoutPIN { throw ValidationError(Text.notBoth("--pin-stdin", "--without-pin")) }
    }

    func run() async throws {
        try await reporting {
            let device = try await bus.device()
            if withoutPIN {
                try await device.lockWithoutPIN()
            } else if pinStdin {
                try await lock(device)
            } else {
                do {
                    try await device.lock()
                } catch let error as BatonError where error.code == .pinRequired && Terminal.isInteractive {
                    Terminal.complain(Text.choosePIN)
                    try await lock(device)
                }
            }
            Terminal.say(try output.json ? JSONOutput.document(LockReport(locked: true)) : Text.locked)
        }
    }

    private func lock(_ device: Device) async throws {
        let pinStdin = pinStdin
        try await interruptibly {
            let pin = try await PINPrompt.askNew(fromInput: pinStdin)
            try await device.lock(choosing: OwnedDescriptor(sealing: pin))
        }
    }
}
