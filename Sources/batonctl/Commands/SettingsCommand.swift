import ArgumentParser

struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: Text.Help.settings,
        discussion: Text.Help.settingsDiscussion + "\n\n"
            + Text.Help.example(
                "batonctl settings --show-origin", "batonctl settings get barrier.hard",
                "batonctl settings set automatic-sign-out.preset clinical"),
        subcommands: [ListSettings.self, GetSetting.self, ChangeSetting.self, UnsetSetting.self],
        defaultSubcommand: ListSettings.self)
}
