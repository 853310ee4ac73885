import BatonContract
import Glibc
import LinuxSystem
import Vocabulary

/// What the settings want of this machine and it has not, as far as that can be seen without the agent.
enum MachineWarnings {
    static func of(_ settings: Settings, file: String) -> [SettingsFault] {
        var warnings: [SettingsFault] = []
        func warn(_ key: SettingsKey, _ message: String) { warn(key.name, message) }
        func warn(_ key: String, _ message: String) {
            warnings.append(SettingsFault(origin: file, key: key, message: message))
        }
        let browser = settings.browser
        if let program = browser.executable {
            if browser.isManaged, !isProgram(program) { warn(.browserExecutable, "there is no program \(program)") }
        } else if browser.isManaged, !isProgram(browser.kind.standardExecutable) {
            let kind = browser.kind
            warn(.browserKind, "\(kind.rawValue) is not installed: there is no \(kind.standardExecutable)")
        }
        if let logo = settings.startPage.logo, access(logo, R_OK) != 0 {
            warn(.startPageLogo, "there is no picture \(SettingsText.printable(logo))")
        }
        if settings.desktop.kind == .turn, let program = settings.desktop.command.first, !isProgram(program) {
            warn(.desktopCommand, "there is no program \(SettingsText.printable(program))")
        }
        if let rules = settings.desktop.keyboards.isEmpty ? nil : XKBRules() {
            for (locale, layout) in settings.desktop.keyboards.pairs
            where !rules.has(layout: layout.layout, variant: layout.variant) {
                warn(.desktopKeyboards, "\(locale): this machine has no keyboard layout \(layout.text)")
            }
        }
        let isConfining =
            browser.isManaged || settings.desktop.kind == .turn
            || settings.apps.contains { !$0.command.isEmpty && $0.isSandboxed }
        if isConfining, !isProgram("/usr/bin/bwrap") {
            warn(
                browser.isManaged ? .browserKind : .agent,
                "/usr/bin/bwrap is missing (package bubblewrap), so programs cannot have a sandbox of their own")
        }
        for app in settings.apps where !isProgram(app.command.first ?? "/bin/sh") {
            warn(AppKeys.file(app.id), "there is no program \(SettingsText.printable(app.command.first ?? ""))")
        }
        return warnings
    }

    private static func isProgram(_ path: String) -> Bool { access(path, X_OK) == 0 }
}
