import ArgumentParser
import Baton

struct KeepSignedIn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep-signed-in", abstract: Text.Help.keepSignedIn,
        discussion: Text.Help.example("batonctl keep-signed-in"))

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            try await bus.device().keepSignedIn()
            Terminal.say(try output.json ? JSONOutput.document(KeptReport()) : Text.keptSignedIn)
        }
    }
}
