import ArgumentParser
import Baton

struct UnlockAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: Text.Help.unlockAccount,
        discussion: Text.Help.unlockAccountDiscussion + "\n\n" + Text.Help.example("batonctl account unlock ana"))

    @Argument(help: ArgumentHelp(Text.Help.username), completion: Completions.accounts)
    var username: String

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reporting {
            try await bus.administering { try await $0.unlockAccount(username) }
            Terminal.say(
                try output.json
                    ? JSONOutput.document(UnlockedReport(unlocked: username)) : Text.accountUnlocked(username))
        }
    }
}

/// The JSON of `account unlock`.
struct UnlockedReport: Encodable {
    var unlocked: String
}
