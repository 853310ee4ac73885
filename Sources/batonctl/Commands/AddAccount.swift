import ArgumentParser
import LocalAccounts

struct AddAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: Text.Help.addAccount,
        discussion: Text.Help.example("batonctl account add ana --name 'Ana Horvat' --locale hr --keyboard hr"))

    @Argument(help: ArgumentHelp(Text.Help.username))
    var username: String

    @Option(help: ArgumentHelp(Text.Help.name))
    var name: String?

    @Option(help: ArgumentHelp(Text.Help.locale))
    var locale: String?

    @Option(help: ArgumentHelp(Text.Help.keyboard))
    var keyboard: String?

    @Flag(help: ArgumentHelp(Text.Help.pinStdin))
    var pinStdin = false

    @OptionGroup var file: AccountFileOptions

    func validate() throws {
        do {
            _ = try account(pin: nil)
            if let keyboard { try KnownKeyboard.check(keyboard) }
        } catch {
            throw ValidationError("\(error)")
        }
    }

    func run() async throws {
        try await reporting {
            let hash = try await file.newPIN(fromInput: pinStdin)
            let account = try account(pin: hash)
            try await file.change(username) {
                Text.accountAdded(username, $0)
            } by: {
                try $0.add(account)
            }
        }
    }

    private func account(pin: PINHash?) throws(LocalAccount.Fault) -> LocalAccount {
        try LocalAccount(username: username, name: name ?? username, locale: locale, keyboard: keyboard, pin: pin)
    }
}
