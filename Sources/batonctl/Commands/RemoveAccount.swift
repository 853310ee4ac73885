import ArgumentParser
import LocalAccounts

struct RemoveAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: Text.Help.removeAccount,
        discussion: Text.Help.example("batonctl account remove ana"))

    @Argument(help: ArgumentHelp(Text.Help.username), completion: Completions.accounts)
    var username: String

    @OptionGroup var file: AccountFileOptions

    func run() async throws {
        try await reporting {
            try await file.change(username) {
                Text.accountRemoved(username, $0)
            } by: {
                try $0.remove(username)
            }
        }
    }
}
