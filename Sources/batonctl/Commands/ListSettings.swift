import ArgumentParser
import Baton

struct ListSettings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: Text.Help.listSettings,
        discussion: Text.Help.example(
            "batonctl settings", "batonctl settings --show-origin", "batonctl settings --all --json"))

    @Flag(help: ArgumentHelp(Text.Help.showOrigin))
    var showOrigin = false

    @Flag(help: ArgumentHelp(Text.Help.allSettings))
    var all = false

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await reporting {
            var listing = try await options.listing(try await options.place())
            if !all { listing.settings.removeAll(where: \.isDefault) }
            if options.output.json { return Terminal.say(try JSONOutput.document(listing)) }
            if listing.settings.isEmpty { return Terminal.say(Text.Settings.noneIsMade) }
            for row in listing.settings { Terminal.say(Text.Settings.row(row, origin: showOrigin)) }
        }
    }
}

struct GetSetting: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: Text.Help.getSetting,
        discussion: Text.Help.example(
            "batonctl settings get barrier.hard", "batonctl settings get browser.kind --show-origin"))

    @Argument(help: ArgumentHelp(Text.Help.settingKey), completion: Completions.settings)
    var key: String

    @Flag(help: ArgumentHelp(Text.Help.showOrigin))
    var showOrigin = false

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await reporting {
            let listing = try await options.listing(try await options.place())
            guard let row = listing.settings.first(where: { $0.key == key }) else {
                Terminal.complain(Text.Settings.unknown(key))
                throw ExitCode(ExitStatus.refused)
            }
            if options.output.json { return Terminal.say(try JSONOutput.document(row)) }
            let value = (row.value ?? Text.Settings.notShown).printable
            Terminal.say(showOrigin ? "\(Text.Settings.place(row)): \(value)" : value)
        }
    }
}
