import ArgumentParser
import Baton

struct Reload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Text.Help.reload,
        discussion: Text.Help.reloadDiscussion + "\n\n" + Text.Help.example("batonctl reload", "batonctl reload --json")
    )

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let report = try await bus.administering { try await $0.reload() }
            Terminal.say(try output.json ? JSONOutput.document(report) : Text.Reload.text(report))
        }
    }
}
