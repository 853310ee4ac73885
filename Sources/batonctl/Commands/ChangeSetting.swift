import ArgumentParser
import Baton
import LocalAccounts
import SystemPackage

struct ChangeSetting: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: Text.Help.setSetting,
        discussion: Text.Help.setSettingDiscussion + "\n\n"
            + Text.Help.example(
                "batonctl settings set barrier.hard 8s",
                "batonctl settings set browser.allow '[https://intranet.example.org]'"))

    @Argument(help: ArgumentHelp(Text.Help.settingKey), completion: Completions.settings)
    var key: String

    @Argument(help: ArgumentHelp(Text.Help.settingValue))
    var value: String

    @OptionGroup var options: SettingsOptions

    func run() async throws { try await reporting { try await options.change(key, to: value) } }
}

struct UnsetSetting: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset", abstract: Text.Help.unsetSetting,
        discussion: Text.Help.example("batonctl settings unset barrier.hard"))

    @Argument(help: ArgumentHelp(Text.Help.settingKey), completion: Completions.settings)
    var key: String

    @OptionGroup var options: SettingsOptions

    func run() async throws { try await reporting { try await options.change(key, to: nil) } }
}

/// The JSON of `settings set` and `unset`.
struct SettingChangeReport: Encodable {
    var key: String
    /// As it was given; absent: the key is not set any more.
    var value: String?
    var file: String
    /// What became of batond's reading the settings again, for people.
    var reload: String
}

extension SettingsOptions {
    /// Changes the drop-in; what batond would refuse is not kept.
    fileprivate func change(_ key: String, to value: String?) async throws {
        let place = try await place()
        let file = place.dropIn.path.string
        let listing = try await listing(place)
        let present = listing.settings.first { $0.key == key }
        guard present != nil else {
            Terminal.complain(Text.Settings.unknown(key))
            throw ExitCode(ExitStatus.refused)
        }
        if value == nil, present?.origin != file, !place.dropIn.holds(key) {
            Terminal.complain(Text.Settings.notSet(key, file))
            throw ExitCode(ExitStatus.refused)
        }
        let before = try place.dropIn.set(key, to: value)
        do {
            let faults = try await faults(place)
            guard faults.isEmpty else {
                Terminal.complain(Text.Settings.refused(faults))
                throw ExitCode(ExitStatus.settings)
            }
        } catch {
            try place.dropIn.restore(before)
            throw error
        }
        let now = try await self.listing(place).settings.first { $0.key == key }
        let reload = await bus.reloadIfRunning()
        if output.json {
            return Terminal.say(
                try JSONOutput.document(SettingChangeReport(key: key, value: value, file: file, reload: reload)))
        }
        Terminal.say(value == nil ? Text.Settings.unset(key, file) : Text.Settings.set(key, file))
        if value != nil, let now, now.origin != file {
            Terminal.complain(Text.Settings.elsewhere(key, Text.Settings.place(now)))
        }
        Terminal.say(reload)
    }
}
