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
            // Of a journal that cannot be read or written batond has no id, and its explanation says what to do.
            let advice = information.journalID.isEmpty ? Text.Doctor.mendJournal : Text.Doctor.endQuarantine
            result.append(.wrong("phase", Text.Doctor.quarantined(information.explanation), advice))
        }
        if let missing = information?.missing, !missing.isEmpty {
            result.append(.wrong("phase", Text.notReady(missing.printable), Text.Doctor.awaitPage))
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
                    "chown -R \(ownerNames) \(folder)"))
        } else if status.st_mode & 0o077 != 0 {
            result.append(.wrong("journal", Text.Doctor.journalIsOpen(folder), "chmod 0700 \(folder)"))
        } else if let unusable = unusableFile(in: folder, of: owner) {
            result.append(
                .wrong(
                    "journal", Text.Doctor.journalFile(unusable),
                    "chown \(ownerNames) \(unusable); chmod 0600 \(unusable)"))
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

    /// Where batond keeps it unless its options say otherwise.
    private var folder: String? {
        if isSystem { return "/var/lib/baton" }
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/baton" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/state/baton" }
        return nil
    }

    private var ownerNames: String { isSystem ? "baton:baton" : UserName.of(geteuid()) }

    /// A file that batond needs and may not read and write.
    private func unusableFile(in folder: String, of owner: uid_t?) -> String? {
        let names = ["baton.sqlite", "baton.sqlite-wal", "baton.sqlite-shm", "epoch", "device-id", "turn-key", "lock"]
        return names.lazy.map { "\(folder)/\($0)" }.first { file in
            var status = stat()
            guard lstat(file, &status) == 0 else { return false }
            return status.st_uid != owner || status.st_mode & 0o600 != 0o600
        }
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
