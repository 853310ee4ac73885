import DBus
import SystemPackage

/// Where batond's settings file is, by the same rules as batond's own. The accounts' file is beside it.
enum SettingsLocation {
    struct Unknown: Error {}

    static let system: FilePath = "/etc/baton/baton.yaml"

    static func file(
        explicit: String?, bus: BusAddress?, environment: [String: String]
    ) throws(Unknown) -> (path: FilePath, newMode: UInt32) {
        let isSystem =
            bus == .system || (bus == nil && environment["BATON_BUS"] == "system") || explicit == system.string
        let newMode: UInt32 = isSystem ? 0o640 : 0o600
        if let explicit { return (FilePath(explicit), newMode) }
        if isSystem { return (system, newMode) }
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return (FilePath(folder).appending("baton/baton.yaml"), newMode)
        }
        if let home = environment["HOME"], home.hasPrefix("/") {
            return (FilePath(home).appending(".config/baton/baton.yaml"), newMode)
        }
        throw Unknown()
    }
}
