import ArgumentParser
import LocalAccounts
import Vocabulary

struct EditAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: Text.Help.editAccount,
        discussion: Text.Help.example("batonctl account edit ana --locale de_CH --keyboard 'ch(fr)'"))

    @Argument(help: ArgumentHelp(Text.Help.username), completion: Completions.accounts)
    var username: String

    @Option(help: ArgumentHelp(Text.Help.newName))
    var name: String?

    @Option(help: ArgumentHelp(Text.Help.newLocale))
    var locale: String?

    @Option(help: ArgumentHelp(Text.Help.newKeyboard))
    var keyboard: String?

    @OptionGroup var file: AccountFileOptions

    func validate() throws {
        guard name != nil || locale != nil || keyboard != nil else { throw ValidationError(Text.nothingToEdit) }
        do {
            let any = try LocalAccount(username: username, name: username, pin: nil)
            _ = try edited(any)
            if let keyboard { try KnownKeyboard.check(keyboard) }
        } catch {
            throw ValidationError("\(error)")
        }
    }

    func run() async throws {
        try await reporting {
            try await file.change(username) {
                Text.accountEdited(username, $0)
            } by: {
                try $0.edit(username, edited)
            }
        }
    }

    private func edited(_ account: LocalAccount) throws(LocalAccount.Fault) -> LocalAccount {
        func new(_ text: String?, instead old: String?) -> String? { text.map { $0.isEmpty ? nil : $0 } ?? old }
        return try LocalAccount(
            username: account.username, name: name ?? account.name, locale: new(locale, instead: account.locale),
            keyboard: new(keyboard, instead: account.keyboard?.text), pin: account.pin)
    }
}
