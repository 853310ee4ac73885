import Vocabulary

/// Settings of a terminal that would put it into the hands of its kiosk user.
enum KioskFaults {
    /// Of the settings as a whole: with these nothing starts.
    static func of(_ settings: Settings, file: String, reach: KioskReach) -> [SettingsFault] {
        func fault(_ key: SettingsKey, _ message: String) -> SettingsFault {
            SettingsFault(origin: file, key: key.name, message: message)
        }
        guard reach.user != 0 else {
            return [
                fault(.agentUser, "the agent and each app would run as root; name the user of the workers' session")
            ]
        }
        var faults = settings.administrators.compactMap { administrator -> SettingsFault? in
            switch administrator {
            case .user(let other) where reach.isUser(other):
                fault(.administrators, "'\(other)' is the kiosk user, and each app would be an administrator")
            case .group(let group):
                SystemAccounts.group(group).flatMap { reach.isIn(group: $0) ? group : nil }.map {
                    fault(
                        .administrators,
                        "the kiosk user is in the group '\($0)', which would make each app an administrator")
                }
            case .user: nil
            }
        }
        if let program = settings.browser.executable, let part = reach.writablePart(of: program) {
            faults.append(fault(.browserExecutable, message(part)))
        }
        if let logo = settings.startPage.logo, let part = reach.writablePart(of: logo) {
            faults.append(
                fault(
                    .startPageLogo,
                    "the kiosk user can write \(SettingsText.printable(part)), so each app could show the next worker another "
                        + "picture"))
        }
        if let program = settings.desktop.command.first, let part = reach.writablePart(of: program) {
            faults.append(fault(.desktopCommand, message(part)))
        }
        return faults
    }

    /// Of one app: its program could be replaced by whatever runs in a worker's turn.
    static func of(_ app: AppSettings, file: String, reach: KioskReach) -> SettingsFault? {
        guard let program = app.command.first, let part = reach.writablePart(of: program) else {
            return nil
        }
        return SettingsFault(origin: file, key: AppKeys.command.name, message: message(part))
    }

    private static func message(_ part: String) -> String {
        "the kiosk user can write \(SettingsText.printable(part)), so each app could put another program there"
    }
}
