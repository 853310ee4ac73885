import ArgumentParser
import Baton

struct Participate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Text.Help.participate,
        discussion: Text.Help.participateDiscussion + "\n\n"
            + Text.Help.example("batonctl participate org.example.PriceCheck --clear 'rm -f searches.txt'"))

    @Argument(help: ArgumentHelp(Text.Help.appID, valueName: Text.Help.appIDName))
    var id: String

    @Option(help: ArgumentHelp(Text.Help.signedInCommand, valueName: Text.Help.command))
    var signedIn: String?

    @Option(help: ArgumentHelp(Text.Help.clearCommand, valueName: Text.Help.command))
    var clear: String?

    @Flag(help: ArgumentHelp(Text.Help.quiet))
    var quiet = false

    @OptionGroup var bus: BusOptions

    func run() async throws {
        Terminal.outliveReaders()
        try await reporting {
            let device = try await bus.device()
            if try await !device.isPresent() { Terminal.complain(Text.waitsForDaemon(on: device.bus)) }
            let script = ScriptedParticipant(signedInCommand: signedIn, clearCommand: clear, isQuiet: quiet)
            let id = id
            do {
                try await interruptibly {
                    try await device.participate(as: id) { account, epoch in
                        await script.signedIn(account, epoch)
                    } clear: { request in
                        try await script.clear(request)
                    } registered: {
                        Terminal.say(Text.Participant.ready)
                    } postponed: { error in
                        Terminal.complain(Text.postponed(error))
                    }
                }
            } catch is Interrupted {
                // That is how one ends it.
            }
        }
    }
}
