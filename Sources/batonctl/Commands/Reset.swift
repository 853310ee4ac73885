import ArgumentParser
import Baton

struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Text.Help.reset, discussion: Text.Help.example("batonctl reset"))

    @OptionGroup var bus: BusOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let receipt = try await bus.device().endQuarantine()
            Terminal.say(
                try output.json
                    ? JSONOutput.document(receipt) : OutputRendering(style: Terminal.styleOfOutput).reset(receipt))
        }
    }
}
