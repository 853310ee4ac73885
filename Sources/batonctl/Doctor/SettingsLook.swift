import Baton
import DBus
import FoundationEssentials
import Glibc
import Subprocess
import SystemPackage

/// The settings, judged by batond itself; on a terminal as the user that batond runs as, who has to be able to read them.
struct SettingsLook {
    let bus: BusAddress?
    let isSystem: Bool
    let isRunning: Bool
    /// Whether accounts come from a provider; nil: batond did not say.
    var isOpenID: Bool?

    /// The settings themselves, and the provider that they name.
    func findings() async -> [Finding] {
        guard let batond = ProgramPath.beside("batond") else {
            return [.wrong("settings", Text.Doctor.noBatond, Text.Doctor.install)]
        }
        do {
            let judgement = try await judgement(of: batond)
            return [finding(judgement)] + ProviderLook.findings(judgement.result?.provider, isOpenID: isOpenID)
        } catch {
            return [.wrong("settings", Text.Doctor.notRun(batond, "\(error)"), Text.Doctor.install)]
        }
    }

    /// How `batond --check --json` ended.
    struct Judgement {
        /// Nil: a signal ended it.
        var exitCode: Int32?
        /// Nil: it did not print one, as a batond of another version or one that cannot be run.
        var result: SettingsCheck?
        /// What it wrote to standard error.
        var lines: [String] = []
    }

    func finding(_ judgement: Judgement) -> Finding {
        guard let result = judgement.result else {
            return .wrong("settings", Text.Doctor.settingsWarn(judgement.lines), Text.Doctor.repairSettings)
        }
        let lines = (result.warnings + result.unknown + result.faults).map(\.text)
        let repairs = (result.faults + result.warnings).compactMap(\.repair)
        let advice = repairs.isEmpty ? Text.Doctor.repairSettings : Text.Doctor.repaired(repairs, isRunning: isRunning)
        let unreadable = result.faults.lazy.compactMap(\.unreadableFile).first
        switch (judgement.exitCode, unreadable) {
        case (0, _) where lines.isEmpty: return .ok("settings", Text.Doctor.settingsAreRight)
        case (0, _) where !result.unknown.isEmpty:
            return .wrong("settings", Text.Doctor.settingsWarn(lines), Text.Doctor.correctNames)
        case (0, _):
            let advice = repairs.isEmpty ? Text.Doctor.seeHelpSettings : advice
            return .warning("settings", Text.Doctor.settingsWarn(lines), advice)
        case (78, let file?) where service != nil:
            return .wrong("settings", Text.Doctor.settingsWarn(lines), Text.Doctor.letBatonRead(file))
        case (78, _?) where isSystem && isRunning: return .ok("settings", Text.Doctor.settingsAreHidden)
        case (78, _?): return .warning("settings", Text.Doctor.settingsWarn(lines), Text.Doctor.asRoot)
        default: return .wrong("settings", Text.Doctor.settingsWarn(lines), advice)
        }
    }

    /// As whom root looks.
    private var service: String? {
        let name = "baton"
        return isSystem && geteuid() == 0 && UserName.id(of: name) != nil ? name : nil
    }

    private func judgement(of batond: String) async throws -> Judgement {
        var (program, arguments) = (batond, ["--check", "--json", "--provider", isSystem ? "--system" : "--session"])
        // Subprocess can change the user itself, but not in a process with threads: glibc's setuid() waits for them all, and
        // in the child that Subprocess makes without fork() they are still counted.
        if let service, let setpriv = ProgramPath.find("setpriv") {
            arguments = ["--reuid=\(service)", "--regid=\(service)", "--init-groups", program] + arguments
            program = setpriv
        }
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: Arguments(arguments), input: .none,
            output: .string(limit: 1 << 20), error: .string(limit: 65536))
        var exitCode: Int32?
        if case .exited(let code) = result.terminationStatus { exitCode = code }
        return Judgement(
            exitCode: exitCode,
            result: try? JSONDecoder().decode(SettingsCheck.self, from: Data(result.standardOutput.utf8)),
            lines: result.standardError.split(separator: "\n").map(String.init))
    }
}
