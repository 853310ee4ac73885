import Settings

let file = "/etc/baton/baton.yaml"

/// A hash of a PIN that does not matter.
let pinHash =
    "scrypt$ln=4,r=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

func parse(
    _ text: String, scope: Settings.Scope = .system, layers: [SettingsLayer] = [], apps: [AppFile] = []
) throws(SettingsFaults) -> Settings.Parsed {
    try Settings.parse(text, file: file, scope: scope, layers: layers, apps: apps)
}

/// The faults of a text; none when it is right.
func faults(_ text: String, layers: [SettingsLayer] = []) -> [String] {
    do throws(SettingsFaults) {
        _ = try parse(text, layers: layers)
        return []
    } catch {
        return error.all.map(\.description)
    }
}
