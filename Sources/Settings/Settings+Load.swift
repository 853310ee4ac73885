import Glibc
import LocalAccounts
public import SystemPackage

extension Settings {
    /// Where the settings lie unless the caller says otherwise; nil if the environment names no home.
    public static func standardFile(scope: Scope, environment: [String: String]) -> FilePath? {
        switch scope {
        case .system: "/etc/baton/baton.yaml"
        case .session:
            if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
                FilePath(folder).appending("baton/baton.yaml")
            } else if let home = environment["HOME"], home.hasPrefix("/") {
                FilePath(home).appending(".config/baton/baton.yaml")
            } else {
                nil
            }
        }
    }

    /// Reads everything anew: environment, systemd's credentials, the file with its drop-ins, and beside it the accounts' file
    /// and `apps.d`.
    ///
    /// A file that is not there is a fault when `required`, and otherwise means the defaults. Reload calls this again;
    /// when it throws, the old settings stay.
    ///
    /// - Parameter vendor: Where the vendor's drop-ins lie; nil: where they do on a system of this scope.
    public static func load(
        _ path: FilePath, required: Bool, scope: Scope, environment: [String: String], vendor: FilePath? = nil
    ) async throws(SettingsFaults) -> Parsed {
        guard let file = try SettingsFile.read(path) ?? (required ? nil : .absent(path)) else {
            throw SettingsFaults([SettingsFault(origin: path.string, message: "there is no such file")])
        }
        var layers: [SettingsLayer] = [.environment(environment)]
        if let directory = environment["CREDENTIALS_DIRECTORY"] {
            do {
                layers.append(try await .credentials(directory: FilePath(directory)))
            } catch {
                throw SettingsFaults([SettingsFault(origin: directory, message: "the credentials cannot be read")])
            }
        }
        let folder = path.removingLastComponent()
        let apps = try AppsDirectory.read(folder.appending("apps.d"), scope: scope)
        let accounts = try SettingsFile.readAccounts(beside: path)
        let dropIns = try SettingsDropIns(
            of: path, vendor: vendor ?? (scope == .system ? DropIns.vendor : nil), scope: scope)
        var judged = ([file, accounts] + dropIns.files).compactMap { $0?.judge(scope: scope) }
            .reduce(into: (faults: [SettingsFault](), warnings: [SettingsFault]())) { all, one in
                all.faults += one.faults
                all.warnings += one.warnings
            }
        if scope == .system, let fault = AppsDirectory.fault(ofSettings: folder, scope: scope) {
            judged.faults.append(fault)
        }
        judged.faults += dropIns.faults
        do throws(SettingsFaults) {
            let files = ReferencedFiles(
                credentials: environment["CREDENTIALS_DIRECTORY"].map { FilePath($0) }, scope: scope)
            let parsed = try parse(
                [(file.text, path.string)] + dropIns.files.map { ($0.text, $0.path.string) }, scope: scope,
                layers: layers,
                apps: apps, accounts: accounts, files: files)
            guard judged.faults.isEmpty else { throw SettingsFaults(judged.faults) }
            let safe = try parsed.withoutKiosksPrograms(path, scope: scope)
            return Parsed(
                settings: safe.settings, appFaults: safe.appFaults, disabledApps: safe.disabledApps,
                warnings: judged.warnings + safe.warnings + AppsDirectory.ignored(folder.appending("apps.d"))
                    + dropIns.warnings
                    + MachineWarnings.of(safe.settings, file: path.string).map { $0.placed(by: safe.values) },
                values: safe.values)
        } catch {
            // Faults of the mode and of the content together: one round of repair is enough.
            let all = error.all == judged.faults ? error.all : judged.faults + error.all
            throw SettingsFaults(all)
        }
    }
}

extension Settings.Parsed {
    /// The same without the apps whose programs the kiosk user could replace. On a session bus all are one user.
    fileprivate func withoutKiosksPrograms(
        _ path: FilePath, scope: Settings.Scope
    ) throws(SettingsFaults) -> Settings.Parsed {
        guard scope == .system, let name = settings.agent.user, let reach = KioskReach(name: name) else { return self }
        let faults = KioskFaults.of(settings, file: path.string, reach: reach).map { $0.placed(by: values) }
        guard faults.isEmpty else { throw SettingsFaults(faults) }
        var (settings, appFaults, disabled) = (settings, appFaults, disabledApps)
        for app in settings.apps {
            let file = path.removingLastComponent().appending(AppKeys.file(app.id))
            guard let fault = KioskFaults.of(app, file: file.string, reach: reach) else { continue }
            appFaults.append(fault)
            disabled.append(app.id)
        }
        settings.apps.removeAll { disabled.contains($0.id) }
        return Settings.Parsed(
            settings: settings, appFaults: appFaults, disabledApps: disabled, warnings: warnings, values: values)
    }
}
