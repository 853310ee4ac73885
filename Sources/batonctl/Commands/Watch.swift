import ArgumentParser
import Baton

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Text.Help.watch, discussion: Text.Help.example("batonctl watch", "batonctl watch --json | jq .event"))

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let device = try await bus.device()
            let json = output.json
            let time = LocalTime.standard
            do {
                try await interruptibly {
                    // Said here: a Ctrl-C that comes as soon as it is read must not be lost.
                    if try await !device.isPresent() { Terminal.complain(Text.waitsForDaemon(on: device.bus)) }
                    for await event in try await device.events() {
                        let now = LocalTime.now()
                        Terminal.say(
                            try json
                                ? JSONOutput.line(EventReport(event, at: now))
                                : "\(time.text(now))  \(Text.event(event))")
                    }
                }
            } catch is Interrupted {
                // That is how one ends it.
            }
        }
    }
}
