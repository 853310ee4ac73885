import Baton
import Glibc

/// The journal: whether it can be read, who could read it, and whether there is room to write it.
struct StateLook {
    let isSystem: Bool
    let environment: [String: String]
    let information: DeviceInformation?

    /// Less than this, in bytes, and the journal may soon not be written.
    private static let leastRoom: UInt64 = 32 << 20

    func findings() -> [Finding] {
        var result: [Finding] = []
        if let information, information.phase == .quarantined {
            result.append(.wrong("phase", Text.Doctor.quarantined(information.explanation), Text.Doctor.endQuarantine))
        }
        guard let folder else { return result }
        var status = stat()
        guard lstat(folder, &status) == 0 else {
            if errno == EACCES {
                return result + [.ok("journal", Text.Doctor.journalIsHidden(folder))]
            }
            return result + [
                information == nil
                    ? .ok("journal", Text.Doctor.noJournalYet(folder))
                    : .warning("journal", Text.Doctor.journalIsElsewhere(folder), Text.Doctor.unitState)
            ]
        }
        let owner = isSystem ? UserName.id(of: "baton") : geteuid()
        if status.st_uid != owner {
            result.append(
                .wrong(
                    "journal", Text.Doctor.journalOwner(folder, UserName.of(status.st_uid)),
                    "chown -R \(isSystem ? "baton:baton" : UserName.of(geteuid())) \(folder)"))
        } else if status.st_mode & 0o077 != 0 {
            result.append(.wrong("journal", Text.Doctor.journalIsOpen(folder), "chmod 0700 \(folder)"))
        } else {
            result.append(.ok("journal", Text.Doctor.journalIsThere(folder)))
        }
        if let aside = Self.names(in: folder).first(where: { $0.hasSuffix(".aside") }) {
            result.append(.warning("journal", Text.Doctor.journalAside("\(folder)/\(aside)"), Text.Doctor.keepAside))
        }
        var room = statvfs()
        if statvfs(folder, &room) == 0, UInt64(room.f_bavail) * UInt64(room.f_frsize) < Self.leastRoom {
            result.append(.warning("disk", Text.Doctor.littleRoom(folder), Text.Doctor.makeRoom))
        }
        return result
    }

    /// Where batond keeps it when nobody says otherwise.
    private var folder: String? {
        if isSystem { return "/var/lib/baton" }
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/baton" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/state/baton" }
        return nil
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var result: [String] = []
        while let entry = readdir(stream) {
            result.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return result.sorted()
    }
}
