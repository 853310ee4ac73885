import Vocabulary

/// Users and groups that the settings name and this machine does not know. batond starts all the same, since a directory of users may
/// be away for a while.
public enum UnknownNames {
    /// - Parameter file: The settings' file.
    public static func of(_ settings: Settings, file: String) -> [SettingsFault] {
        func fault(_ key: SettingsKey, _ message: String) -> SettingsFault {
            SettingsFault(origin: file, key: key.name, message: message)
        }
        var faults = settings.administrators.compactMap { administrator -> SettingsFault? in
            switch administrator {
            case .user(let name) where SystemAccounts.user(name) == nil:
                fault(.administrators, "there is no user '\(SettingsText.printable(name))'")
            case .group(let name) where SystemAccounts.group(name) == nil:
                fault(.administrators, "there is no group '\(SettingsText.printable(name))'")
            default: nil
            }
        }
        if let name = settings.agent.user, SystemAccounts.user(name) == nil {
            faults.append(fault(.agentUser, "there is no user '\(SettingsText.printable(name))'"))
        }
        return faults
    }
}
