import ArgumentParser
import Baton

struct ListApps: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: Text.Help.listApps, discussion: Text.Help.example("batonctl apps --json"))

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let apps = try await bus.device().participants()
            Terminal.say(
                try output.json
                    ? JSONOutput.document(apps)
                    : OutputRendering(style: Terminal.styleOfOutput).participants(apps))
        }
    }
}
