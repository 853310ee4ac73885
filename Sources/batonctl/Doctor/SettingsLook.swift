import DBus
import Subprocess
import SystemPackage

/// The settings, judged by batond itself.
struct SettingsLook {
    let bus: BusAddress?
    let isSystem: Bool
    let isRunning: Bool

    func finding() async -> Finding {
        guard let batond = ProgramPath.beside("batond") else {
            return .wrong("settings", Text.Doctor.noBatond, Text.Doctor.install)
        }
        do {
            let result = try await Subprocess.run(
                .path(FilePath(batond)), arguments: ["--check", isSystem ? "--system" : "--session"], input: .none,
                output: .discarded, error: .string(limit: 65536))
            let lines = result.standardError.split(separator: "\n").map { line in
                String(line.hasPrefix("warning: ") ? line.dropFirst("warning: ".count) : line)
            }
            switch result.terminationStatus {
            case .exited(0) where lines.isEmpty: return .ok("settings", Text.Doctor.settingsAreRight)
            case .exited(0):
                return .warning("settings", Text.Doctor.settingsWarn(lines), Text.Doctor.seeHelpSettings)
            case .exited(78) where lines.contains { $0.contains("Permission denied") }:
                return .warning("settings", Text.Doctor.settingsWarn(lines), Text.Doctor.asRoot)
            default:
                return .wrong("settings", Text.Doctor.settingsWarn(lines), Text.Doctor.repairSettings)
            }
        } catch {
            return .wrong("settings", Text.Doctor.notRun(batond, "\(error)"), Text.Doctor.install)
        }
    }
}
