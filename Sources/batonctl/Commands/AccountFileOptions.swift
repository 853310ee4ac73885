import ArgumentParser
import Baton
import Glibc
import LocalAccounts
import SystemPackage

/// Which settings file, and which daemon has to hear of it.
struct AccountFileOptions: ParsableArguments {
    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp(Text.Help.config, valueName: Text.Help.file), completion: .file())
    var config: String?

    /// The settings file of the daemon that every command asks.
    func place() async throws -> (path: FilePath, newMode: UInt32) {
        let bus = config == nil ? await bus.chosen() : bus.bus
        return try SettingsLocation.file(explicit: config, bus: bus, environment: Terminal.environment)
    }

    /// Changes the file, says so, and lets a daemon that runs read it again.
    func change(
        _ username: String, _ done: (_ file: String) -> String, by change: (AccountsFile) throws -> Void
    ) async throws {
        let environment = Terminal.environment
        let place = try await place()
        try change(AccountsFile(place.path, newMode: place.newMode, makesFolders: config == nil))
        if !output.json { Terminal.say(done(place.path.string).printable) }
        // Nothing says that root means their own session, and on a terminal being set up Baton's bus may not be there yet.
        let isSaid = config != nil || self.bus.bus != nil || environment["BATON_BUS"]?.isEmpty == false
        if !isSaid, geteuid() == 0, place.path != SettingsLocation.system {
            Terminal.complain(Text.ownSettings(place.path.string, system: SettingsLocation.system.string).printable)
        }
        let reload = await reload()
        Terminal.say(
            try output.json
                ? JSONOutput.document(
                    AccountChangeReport(username: username, file: place.path.string, reload: reload)) : reload)
    }

    /// Asks for a new PIN, as long as the file demands, and hashes it.
    func newPIN(fromInput: Bool) async throws -> PINHash {
        let least = try AccountsFile(try await place().path).leastPINLength()
        return try await NewPIN.hash(fromInput: fromInput, least: least)
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
