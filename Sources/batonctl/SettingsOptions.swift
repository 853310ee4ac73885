import ArgumentParser
import Baton
import Glibc
import LocalAccounts
import SystemPackage

/// Which settings, and what batond makes of them.
struct SettingsOptions: ParsableArguments {
    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp(Text.Help.config, valueName: Text.Help.file), completion: .file())
    var config: String?

    struct Place {
        var settings: FilePath
        var isSystem: Bool
        var dropIn: SettingsDropIn
    }

    func place() async throws -> Place {
        let bus = config == nil ? await bus.chosen() : bus.bus
        let (path, mode) = try SettingsLocation.file(explicit: config, bus: bus, environment: Terminal.environment)
        let isSystem = mode & 0o040 != 0
        return Place(
            settings: path, isSystem: isSystem,
            dropIn: SettingsDropIn(
                of: path, newMode: mode,
                newGroup: isSystem && geteuid() == 0 ? UserName.idOfGroup("baton") : nil))
    }

    /// Runs batond on them.
    func ask(_ arguments: [String], _ place: Place) async throws -> BatondRun {
        guard let batond = ProgramPath.beside("batond") else {
            Terminal.complain(Text.Doctor.noBatond)
            throw ExitCode(ExitStatus.noProgram)
        }
        return try await BatondRun(
            batond, arguments + (config.map { ["--config", $0] } ?? []), isSystem: place.isSystem)
    }

    func listing(_ place: Place) async throws -> SettingsListing {
        let run = try await ask(["--show-settings", "--json"], place)
        guard run.exitCode == 0, let listing = run.answer(SettingsListing.self) else {
            Terminal.complain(
                run.lines.isEmpty ? Text.Settings.noAnswer : run.lines.map(\.printable).joined(separator: "\n"))
            throw ExitCode(run.exitCode == ExitStatus.settings ? ExitStatus.settings : ExitStatus.refused)
        }
        return listing
    }

    /// What batond would refuse in the settings as they are now.
    func faults(_ place: Place) async throws -> [String] {
        let run = try await ask(["--check", "--json"], place)
        guard let check = run.answer(SettingsCheck.self) else { return run.lines }
        return check.faults.map(\.text)
    }
}
