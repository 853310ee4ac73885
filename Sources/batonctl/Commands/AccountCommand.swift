import ArgumentParser

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: Text.Help.account,
        discussion: Text.Help.example(
            "batonctl account", "batonctl account list", "batonctl account add ana --name 'Ana Horvat' --locale hr"),
        subcommands: [
            ShowAccount.self, ListAccounts.self, AddAccount.self, EditAccount.self, RemoveAccount.self, SetPIN.self,
            LockedAccounts.self, UnlockAccount.self,
        ],
        defaultSubcommand: ShowAccount.self)
}
