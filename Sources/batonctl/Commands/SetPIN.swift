import ArgumentParser
import LocalAccounts

struct SetPIN: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-pin", abstract: Text.Help.setPIN,
        discussion: Text.Help.example("batonctl account set-pin ana"))

    @Argument(help: ArgumentHelp(Text.Help.username), completion: Completions.accounts)
    var username: String

    @Flag(help: ArgumentHelp(Text.Help.pinStdin))
    var pinStdin = false

    @OptionGroup var file: AccountFileOptions

    func run() async throws {
        try await reporting {
            let hash = try await file.newPIN(fromInput: pinStdin)
            try await file.change(username) {
                Text.pinSet(username, $0)
            } by: {
                try $0.setPIN(username, hash)
            }
        }
    }
}
