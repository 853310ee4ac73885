import ArgumentParser
import Baton
import SystemPackage

struct Participate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Text.Help.participate,
        discussion: Text.Help.participateDiscussion + "\n\n"
            + Text.Help.example(
                "batonctl participate org.example.PriceCheck --clear 'rm -f searches.txt'",
                "batonctl participate org.example.PriceCheck --clear ./clear.sh --json | jq .event"))

    @Argument(help: ArgumentHelp(Text.Help.appID, valueName: Text.Help.appIDName))
    var id: String

    @Option(help: ArgumentHelp(Text.Help.signedInCommand, valueName: Text.Help.command))
    var signedIn: String?

    @Option(help: ArgumentHelp(Text.Help.clearCommand, valueName: Text.Help.command))
    var clear: String?

    @Flag(help: ArgumentHelp(Text.Help.quiet))
    var quiet = false

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        Terminal.outliveReaders()
        try await reporting {
            let device = try await bus.device()
            let script = ScriptedParticipant(
                signedInCommand: signedIn, clearCommand: clear, isQuiet: quiet,
                lines: output.json ? EventLines(to: .standardOutput) : nil)
            let id = id
            do {
                try await interruptibly {
                    // Said here: a Ctrl-C that comes as soon as it is read must not be lost.
                    if try await !device.isPresent() { Terminal.complain(Text.waitsForDaemon(on: device.bus)) }
                    try await device.participate(as: id) { account, epoch in
                        await script.signedIn(account, epoch)
                    } clear: { request in
                        try await script.clear(request)
                    } registered: {
                        script.registered()
                    } postponed: { error in
                        script.postponed(error)
                    }
                }
            } catch is Interrupted {
                // That is how one ends it.
            }
        }
    }
}
