import ArgumentParser
import Baton
import Glibc
import Processes
import Vocabulary

struct Batonctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batonctl",
        abstract: Text.Help.batonctl,
        discussion: Text.Help.batonctlDiscussion,
        version: Version.current,
        subcommands: [
            Overview.self, Status.self, ShowDeviceMode.self, AccountCommand.self, SignIn.self, SignOut.self,
            KeepSignedIn.self,
            Lock.self, Unlock.self,
            Watch.self, Receipts.self, Apps.self, ShowToken.self, CallCommand.self, HandleURL.self, HashPIN.self,
            Reset.self,
            Reload.self, SettingsCommand.self,
            Participate.self, Run.self, TestApp.self, Doctor.self,
        ])

    /// As the reaper of a program that `run` started it is another program, with no other children.
    static func main() async {
        if let code = Reaper.play(CommandLine.arguments) { Glibc.exit(code) }
        Text.speak(Language(environment: Terminal.environment))
        let arguments = LeadingOptions.moved(Array(CommandLine.arguments.dropFirst()), of: Self.self)
        await main(LeadingOptions.isAll(of: arguments) ? ["overview"] + arguments : arguments)
    }
}
