import Glibc
import LinuxSystem
import LocalAccounts
public import SystemPackage

/// A settings file as it lies on the disk, with what its owner and mode say about who could change or read it.
public struct SettingsFile: Sendable {
    public let path: FilePath
    public let text: String
    /// The permission bits.
    public let mode: UInt32
    public let owner: UInt32

    /// For a session that has no file: every setting has its default.
    public static func absent(_ path: FilePath) -> SettingsFile {
        SettingsFile(path: path, text: "", mode: 0o600, owner: geteuid())
    }

    package init(path: FilePath, text: String, mode: UInt32, owner: UInt32) {
        self.path = path
        self.text = text
        self.mode = mode
        self.owner = owner
    }

    /// Reads the file; nil when there is none.
    public static func read(_ path: FilePath) throws(SettingsFaults) -> SettingsFile? {
        func fault(_ message: String, line: Int? = nil) -> SettingsFaults {
            SettingsFaults([SettingsFault(origin: path.string, line: line, message: message)])
        }
        // Without O_NONBLOCK a pipe in the file's place would hold the start for ever.
        let descriptor = path.withPlatformString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        guard descriptor >= 0 else {
            let number = errno
            if number == ENOENT { return nil }
            throw SettingsFaults([SettingsFault(unreadable: path, Errno(rawValue: number))])
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw fault("cannot be read: \(Errno(rawValue: errno))") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw fault("is not a file") }
        guard status.st_size <= MarkedYAML.largestText else { throw fault("is larger than 1 MiB") }
        var bytes = [UInt8](repeating: 0, count: MarkedYAML.largestText + 1)
        var filled = 0
        while filled < bytes.count {
            let got = bytes.withUnsafeMutableBytes { memory in
                Glibc.read(descriptor, memory.baseAddress?.advanced(by: filled), memory.count - filled)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw fault("cannot be read: \(Errno(rawValue: errno))") }
            guard got > 0 else { break }
            filled += got
        }
        guard filled <= MarkedYAML.largestText else { throw fault("is larger than 1 MiB") }
        guard let text = String(validating: bytes.prefix(filled), as: UTF8.self) else {
            let right = String(decoding: bytes.prefix(filled), as: UTF8.self).utf8
            let same = zip(right, bytes).prefix { $0 == $1 }
            throw fault("is not UTF-8 text", line: same.count { $0.0 == UInt8(ascii: "\n") } + 1)
        }
        return SettingsFile(
            path: path, text: text, mode: UInt32(status.st_mode) & 0o7777, owner: UInt32(status.st_uid))
    }

    /// Reads the file of the accounts that belong to a settings file; nil when there is none.
    static func readAccounts(beside settings: FilePath) throws(SettingsFaults) -> SettingsFile? {
        let path = AccountsFile.path(beside: settings)
        if let file = try read(path) { return file }
        // A link that leads nowhere must not bring the settings file's own list back.
        var status = stat()
        guard path.withPlatformString({ lstat($0, &status) }) != 0, errno == ENOENT else {
            throw SettingsFaults([SettingsFault(origin: path.string, message: "is a link that leads to no file")])
        }
        return nil
    }

    func judge(scope: Settings.Scope) -> (faults: [SettingsFault], warnings: [SettingsFault]) {
        judge(scope: scope, holdsHashes: text.contains("scrypt$"))
    }

    /// What the mode and the owner allow that they should not.
    func judge(
        scope: Settings.Scope, holdsHashes: Bool, user: UInt32 = geteuid()
    ) -> (faults: [SettingsFault], warnings: [SettingsFault]) {
        func note(_ message: String, _ repair: String) -> SettingsFault {
            SettingsFault(
                origin: path.string, message: "\(message); \(repair) \(path)",
                repair: "\(repair) \(ShellText.quoted(path.string))")
        }
        let bits = "mode \(String(mode & 0o777, radix: 8))"
        var faults: [SettingsFault] = []
        var warnings: [SettingsFault] = []
        switch scope {
        case .system:
            if owner != 0, owner != user {
                faults.append(note("belongs to user \(owner), who could change it", "chown root:baton"))
            }
            if mode & 0o022 != 0 {
                faults.append(note("\(bits) lets others write it", "chmod 0640"))
            } else if holdsHashes, mode & 0o037 != 0 {
                faults.append(
                    SettingsFault(
                        origin: path.string,
                        message:
                            "\(bits) is looser than 0640 and the file holds PIN hashes; chown root:baton \(path) and "
                            + "chmod 0640 \(path)",
                        repair:
                            "chown root:baton \(ShellText.quoted(path.string)); chmod 0640 \(ShellText.quoted(path.string))"
                    ))
            }
        case .session:
            if mode & 0o002 != 0 {
                faults.append(note("\(bits) lets all users write it", "chmod 0600"))
            }
            if holdsHashes, mode & 0o004 != 0 {
                warnings.append(note("\(bits) lets all users read the PIN hashes", "chmod 0600"))
            }
        }
        return (faults, warnings)
    }
}
