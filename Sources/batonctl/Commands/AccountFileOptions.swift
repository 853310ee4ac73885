import ArgumentParser
import Baton
import Glibc
import LocalAccounts
import SystemPackage

/// Which settings file, and which daemon has to hear of it.
struct AccountFileOptions: ParsableArguments {
    @OptionGroup var bus: BusOptions

    @Option(help: ArgumentHelp(Text.Help.config, valueName: Text.Help.file))
    var config: String?

    /// Changes the file, says so, and lets a daemon that runs read it again.
    func change(
        _ done: (_ file: String) -> String, by change: (AccountsFile) throws -> Void
    ) async throws {
        let environment = Terminal.environment
        let bus = config == nil ? await bus.chosen() : bus.bus
        let place = try SettingsPlace.file(explicit: config, bus: bus, environment: environment)
        try change(AccountsFile(place.path, newMode: place.newMode, makesFolders: config == nil))
        Terminal.say(done(place.path.string).printable)
        // Nothing says that root means their own session, and on a terminal being set up Baton's bus may not be there yet.
        let isSaid = config != nil || self.bus.bus != nil || environment["BATON_BUS"]?.isEmpty == false
        if !isSaid, geteuid() == 0, place.path != SettingsPlace.system {
            Terminal.complain(Text.ownSettings(place.path.string, system: SettingsPlace.system.string).printable)
        }
        Terminal.say(await reload())
    }

    /// The file is changed whatever comes of this, so it only tells.
    private func reload() async -> String {
        do {
            let device = try await bus.device()
            guard try await device.isPresent() else { return Text.reloadAtStart }
            try await device.reload()
            return Text.reloaded
        } catch DeviceError.noDaemon {
            return Text.reloadAtStart
        } catch {
            return Text.reloadYourself(Text.failure(error))
        }
    }
}
