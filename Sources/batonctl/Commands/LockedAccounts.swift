import ArgumentParser
import Baton

struct LockedAccounts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "locked", abstract: Text.Help.lockedAccounts,
        discussion: Text.Help.example("batonctl account locked", "batonctl account locked --json"))

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let attempts = try await bus.administering { try await $0.pinAttempts() }
            Terminal.say(
                try output.json
                    ? JSONOutput.document(attempts)
                    : OutputRendering(style: Terminal.styleOfOutput).attempts(attempts))
        }
    }
}
