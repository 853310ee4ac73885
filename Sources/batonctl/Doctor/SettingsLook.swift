import Baton
import DBus

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
    private var service: String? { BatondRun.service(isSystem: isSystem) }

    private func judgement(of batond: String) async throws -> Judgement {
        let run = try await BatondRun(batond, ["--check", "--json", "--provider"], isSystem: isSystem)
        return Judgement(exitCode: run.exitCode, result: run.answer(SettingsCheck.self), lines: run.lines)
    }
}
