import ArgumentParser
import Baton

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Text.Help.watch, discussion: Text.Help.example("batonctl watch", "batonctl watch --json | jq .event"))

    @OptionGroup var bus: BusOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let device = try await bus.device()
            let json = output.json
            do {
                try await interruptibly {
                    for await event in try await device.events() {
                        Terminal.say(try json ? JSONOutput.line(EventReport(event)) : Text.event(event))
                    }
                }
            } catch is Interrupted {
                // That is how one ends it.
            }
        }
    }
}
