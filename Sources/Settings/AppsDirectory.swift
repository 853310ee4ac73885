import Glibc
import LinuxSystem
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
            let fault = fault(status, path, "apps", scope: scope, user: user ?? geteuid())
        {
            throw SettingsFaults([fault])
        }
        return names(in: directory).filter { $0.hasSuffix(".yaml") }.map {
            file(path.appending($0), id: String($0.dropLast(5)), scope: scope, user: user ?? geteuid())
        }
    }

    /// A warning for each file that looks meant and is not read. Those that editors and packages leave are not among them.
    static func ignored(_ path: FilePath) -> [SettingsFault] {
        guard let directory = path.withPlatformString({ opendir($0) }) else { return [] }
        defer { closedir(directory) }
        return names(in: directory).filter { name in
            !name.hasSuffix(".yaml") && !name.hasSuffix("~") && !leftovers.contains { name.contains($0) }
        }.map {
            SettingsFault(
                origin: path.appending($0).string, message: "is not read: the file of an app is named <app-id>.yaml")
        }
    }

    private static let leftovers = [".dpkg-", ".ucf-", ".bak", ".orig", ".rpmsave", ".rpmnew"]

    /// All that are not hidden, sorted.
    private static func names(in directory: OpaquePointer) -> [String] {
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// The folder of the settings themselves: who can write it can put another file in the place of each.
    static func fault(ofSettings folder: FilePath, scope: Settings.Scope, user: UInt32 = geteuid()) -> SettingsFault? {
        var status = stat()
        guard folder.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
        return fault(status, folder, "other settings", scope: scope, user: user)
    }

    /// A user who can write the folder can put an app there.
    private static func fault(
        _ status: stat, _ path: FilePath, _ what: String, scope: Settings.Scope, user: UInt32
    ) -> SettingsFault? {
        func fault(_ message: String, _ repair: String) -> SettingsFault {
            SettingsFault(
                origin: path.string, message: "\(message); \(repair) \(path)",
                repair: "\(repair) \(ShellText.quoted(path.string))")
        }
        let bits = String(status.st_mode & 0o777, radix: 8)
        let others: mode_t = scope == .system ? 0o022 : 0o002
        if scope == .system, status.st_uid != 0, status.st_uid != user {
            return fault("belongs to user \(status.st_uid), who could put \(what) there", "chown root:root")
        }
        guard status.st_mode & others != 0 else { return nil }
        return fault("mode \(bits) lets others put \(what) there", "chmod 0755")
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
