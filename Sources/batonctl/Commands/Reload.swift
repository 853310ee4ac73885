import ArgumentParser
import Baton

struct Reload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Text.Help.reload, discussion: Text.Help.example("batonctl reload"))

    @OptionGroup var bus: BusOptions

    func run() async throws {
        try await reporting {
            try await bus.device().reload()
            Terminal.say(Text.reloaded)
        }
    }
}
