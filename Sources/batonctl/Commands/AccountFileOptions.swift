import ArgumentParser
import Baton
import Glibc
import LocalAccounts
import SystemPackage

/// Beside which settings file the accounts are, and which daemon has to hear of it.
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

    func accounts() async throws -> AccountsFile { accounts(beside: try await place()) }

    private func accounts(beside place: (path: FilePath, newMode: UInt32)) -> AccountsFile {
        let isTerminals = place.newMode & 0o040 != 0 && geteuid() == 0
        return AccountsFile(
            beside: place.path, newMode: place.newMode, newGroup: isTerminals ? UserName.idOfGroup("baton") : nil,
            makesFolders: config == nil)
    }

    /// Changes the file, says so, and lets a daemon that runs read it again.
    func change(
        _ username: String, _ done: (_ file: String) -> String,
        by change: (AccountsFile) throws -> AccountsFile.OldList?
    ) async throws {
        let environment = Terminal.environment
        let place = try await place()
        let accounts = accounts(beside: place)
        let old = try change(accounts)
        if !output.json { Terminal.say(done(accounts.path.string).printable) }
        if let old {
            Terminal.complain(
                Text.oldAccounts(place.path.string, line: old.line, isMoved: old.isMoved, to: accounts.path.string)
                    .printable)
        }
        // Nothing says that root means their own session, and on a terminal being set up Baton's bus may not be there yet.
        let isSaid = config != nil || self.bus.bus != nil || environment["BATON_BUS"]?.isEmpty == false
        if !isSaid, geteuid() == 0, place.path != SettingsLocation.system {
            let system = AccountsFile.path(beside: SettingsLocation.system)
            Terminal.complain(Text.ownSettings(accounts.path.string, system: system.string).printable)
        }
        let reload = await bus.reloadIfRunning()
        Terminal.say(
            try output.json
                ? JSONOutput.document(
                    AccountChangeReport(username: username, file: accounts.path.string, reload: reload)) : reload)
    }

    /// Asks for a new PIN, as long as the file demands, and hashes it.
    func newPIN(fromInput: Bool) async throws -> PINHash {
        let least = try await accounts().leastPINLength()
        return try await NewPIN.hash(fromInput: fromInput, least: least)
    }
}
