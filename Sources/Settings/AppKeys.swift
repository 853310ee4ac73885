import Vocabulary

/// The keys of an app's file.
enum AppKeys {
    static let name = SettingsKey("name")
    static let command = SettingsKey("command")
    static let unit = SettingsKey("unit")
    static let wipe = SettingsKey("wipe")
    static let keep = SettingsKey("keep")
    static let redirectURI = SettingsKey("redirect-uri")
    static let scopes = SettingsKey("scopes")
    static let participant = SettingsKey("participant")
    static let icon = SettingsKey("icon")
    static let environment = SettingsKey("environment")
    static let sandbox = SettingsKey("sandbox")
    static let home = SettingsKey("home")
    static let homeKeep = home["keep"]
    static let homeReadOnly = home["read-only"]
    static let homeWipe = home["wipe"]
    static let sessionBus = SettingsKey("session-bus")
    static let autostart = SettingsKey("autostart")

    /// What messages name instead of a key if they mean the whole file.
    static func file(_ app: String) -> String { "apps.d/\(app).yaml" }
}
