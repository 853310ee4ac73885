import Glibc
public import SystemPackage

/// The folder `apps.d`: one file for each listed app.
public enum AppsDirectory {
    /// Reads every `<app-id>.yaml` of the folder, sorted by name; nothing when there is no folder.
    ///
    /// A file that cannot be read, or that others could change, is returned with its fault: it disables that app only.
    public static func read(
        _ path: FilePath, scope: Settings.Scope, user: UInt32? = nil
    ) throws(SettingsFaults) -> [AppFile] {
        guard let directory = path.withPlatformString({ opendir($0) }) else {
            let number = errno
            if number == ENOENT { return [] }
            throw SettingsFaults([SettingsFault(unreadable: path, Errno(rawValue: number))])
        }
        defer { closedir(directory) }
        var status = stat()
        if fstat(dirfd(directory), &status) == 0,
            let fault = fault(status, path, scope: scope, user: user ?? geteuid())
        {
            throw SettingsFaults([fault])
        }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".yaml"), !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted().map {
            file(path.appending($0), id: String($0.dropLast(5)), scope: scope, user: user ?? geteuid())
        }
    }

    /// A user who can write the folder can put an app there.
    private static func fault(_ status: stat, _ path: FilePath, scope: Settings.Scope, user: UInt32) -> SettingsFault? {
        func fault(_ message: String) -> SettingsFault { SettingsFault(origin: path.string, message: message) }
        let bits = String(status.st_mode & 0o777, radix: 8)
        let others: mode_t = scope == .system ? 0o022 : 0o002
        if scope == .system, status.st_uid != 0, status.st_uid != user {
            return fault("belongs to user \(status.st_uid), who could put apps there; chown root:root \(path)")
        }
        guard status.st_mode & others != 0 else { return nil }
        return fault("mode \(bits) lets others put apps there; chmod 0755 \(path)")
    }

    private static func file(_ path: FilePath, id: String, scope: Settings.Scope, user: UInt32) -> AppFile {
        do throws(SettingsFaults) {
            guard let file = try SettingsFile.read(path) else {
                return AppFile(id: id, file: path.string, fault: "cannot be read: it is no longer there")
            }
            if let fault = file.judge(scope: scope, holdsHashes: false, user: user).faults.first {
                return AppFile(id: id, file: path.string, fault: fault.message)
            }
            return AppFile(id: id, file: path.string, text: file.text)
        } catch {
            return AppFile(
                id: id, file: path.string, fault: error.all.first?.message ?? "cannot be read",
                isForbidden: error.all.first?.unreadableFile != nil)
        }
    }
}
