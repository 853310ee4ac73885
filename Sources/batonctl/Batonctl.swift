import ArgumentParser

@main
struct Batonctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batonctl",
        abstract: Text.Help.batonctl,
        discussion: Text.Help.batonctlDiscussion,
        subcommands: [
            Status.self, ShowDeviceMode.self, AccountCommand.self, SignIn.self, SignOut.self, KeepSignedIn.self,
            Watch.self, Receipts.self, Apps.self, ShowToken.self, Call.self, HandleURL.self, HashPIN.self, Reset.self,
            Reload.self,
            Participate.self,
        ])
}
