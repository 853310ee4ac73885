import ArgumentParser
import Baton

struct ShowAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: Text.Help.showAccount, discussion: Text.Help.example("batonctl account --json"))

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            let account = try await bus.device().getCurrentAccount()
            Terminal.say(
                try output.json
                    ? JSONOutput.document(AccountReport(account: account))
                    : [Text.holder(account), Text.before(account)].joined(separator: "\n"))
        }
    }
}
