import DBus
import Glibc
import Subprocess
import SystemPackage

/// The settings, judged by batond itself; on a terminal as the user that batond runs as, who has to be able to read them.
struct SettingsLook {
    let bus: BusAddress?
    let isSystem: Bool
    let isRunning: Bool

    func finding() async -> Finding {
        guard let batond = ProgramPath.beside("batond") else {
            return .wrong("settings", Text.Doctor.noBatond, Text.Doctor.install)
        }
        do {
            let (status, lines) = try await judgement(of: batond)
            let denied = lines.first { $0.contains("Permission denied") }
            switch (status, denied) {
            case (.exited(0), _) where lines.isEmpty: return .ok("settings", Text.Doctor.settingsAreRight)
            case (.exited(0), _):
                return .warning("settings", Text.Doctor.settingsWarn(lines), Text.Doctor.seeHelpSettings)
            case (.exited(78), let denied?) where service != nil:
                let file = denied.split(separator: ": ").first.map(String.init) ?? denied
                return .wrong("settings", Text.Doctor.settingsWarn(lines), Text.Doctor.letBatonRead(file))
            case (.exited(78), _?) where isSystem && isRunning:
                return .ok("settings", Text.Doctor.settingsAreHidden)
            case (.exited(78), _?):
                return .warning("settings", Text.Doctor.settingsWarn(lines), Text.Doctor.asRoot)
            default:
                return .wrong("settings", Text.Doctor.settingsWarn(lines), Text.Doctor.repairSettings)
            }
        } catch {
            return .wrong("settings", Text.Doctor.notRun(batond, "\(error)"), Text.Doctor.install)
        }
    }

    /// As whom root looks.
    private var service: String? {
        let name = "baton"
        return isSystem && geteuid() == 0 && UserName.id(of: name) != nil ? name : nil
    }

    /// How `batond --check` ended, and each line that it wrote.
    private func judgement(of batond: String) async throws -> (TerminationStatus, [String]) {
        var (program, arguments) = (batond, ["--check", isSystem ? "--system" : "--session"])
        // Subprocess can change the user itself, but not in a process with threads: glibc's setuid() waits for them all, and
        // in the child that Subprocess makes without fork() they are still counted.
        if let service, let setpriv = ProgramPath.find("setpriv") {
            arguments = ["--reuid=\(service)", "--regid=\(service)", "--init-groups", program] + arguments
            program = setpriv
        }
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: Arguments(arguments), input: .none, output: .discarded,
            error: .string(limit: 65536))
        let lines = result.standardError.split(separator: "\n").map { line in
            String(line.hasPrefix("warning: ") ? line.dropFirst("warning: ".count) : line)
        }
        return (result.terminationStatus, lines)
    }
}
