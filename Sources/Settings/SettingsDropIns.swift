import LocalAccounts
import SystemPackage

/// The drop-ins of a settings file, read and judged.
struct SettingsDropIns {
    private(set) var files: [SettingsFile] = []
    /// Folders into which others could put one.
    private(set) var faults: [SettingsFault] = []
    private(set) var warnings: [SettingsFault] = []

    init(of settings: FilePath, vendor: FilePath?, scope: Settings.Scope) throws(SettingsFaults) {
        do throws(DropIns.Unreadable) {
            for path in try DropIns.files(of: settings, vendor: vendor) {
                do throws(SettingsFaults) {
                    // One that was removed meanwhile has nothing to say.
                    if let file = try SettingsFile.read(path) { files.append(file) }
                } catch {
                    faults += error.all
                }
            }
        } catch {
            throw SettingsFaults([SettingsFault(unreadable: error.folder, Errno(rawValue: error.number))])
        }
        for folder in [vendor, DropIns.folder(of: settings)].compactMap(\.self) {
            if let fault = AppsDirectory.fault(ofSettings: folder, scope: scope) { faults.append(fault) }
        }
        warnings = DropIns.ignored(of: settings, vendor: vendor).map {
            SettingsFault(origin: $0.string, message: "is not read: a drop-in is named <name>.yaml")
        }
    }
}

extension SettingsFault {
    /// The same at the place where its key has its value, which may be a drop-in.
    func placed(by values: [SettingsValue]) -> SettingsFault {
        guard line == nil, let value = values.first(where: { $0.key == key }) else { return self }
        return SettingsFault(
            origin: value.origin, line: value.line, key: key, message: message, unreadableFile: unreadableFile,
            repair: repair)
    }
}
