import Baton
import Glibc
import LinuxSystem
import SystemPackage

/// The journal: whether it can be read, who could read it, and whether there is room to write it.
struct StateLook {
    let isSystem: Bool
    let environment: [String: String]
    let information: DeviceInformation?
    /// False: the display is not where the agent is told, which has a line of its own.
    var hasSession = true

    /// Less than this, in bytes, and the journal may soon not be written.
    private static let leastRoom: UInt64 = 32 << 20
    /// Less than this, and it cannot be: a record takes some pages, and so does what is written ahead.
    private static let noRoom: UInt64 = 1 << 20

    func findings() -> [Finding] {
        var result: [Finding] = []
        if let information, information.phase == .quarantined {
            // Of a journal that cannot be read or written batond has no id, and its explanation says what to do.
            let advice = information.journalID.isEmpty ? Text.Doctor.mendJournal : Text.Doctor.endQuarantine
            result.append(.wrong("phase", Text.Doctor.quarantined(information.explanation), advice))
        }
        if let missing = information?.missing, !missing.isEmpty, hasSession {
            result.append(.wrong("phase", Text.notReady(missing.printable), Text.Doctor.awaitPage))
        }
        guard let folder else { return result }
        guard let facts = FileFacts(path: folder) else {
            if access(folder, F_OK) != 0, errno == EACCES {
                return result + [.ok("journal", Text.Doctor.journalIsHidden(folder))]
            }
            return result + [
                information == nil
                    ? .ok("journal", Text.Doctor.noJournalYet(folder))
                    : .warning("journal", Text.Doctor.journalIsElsewhere(folder), Text.Doctor.unitState)
            ]
        }
        let owner = isSystem ? UserName.id(of: "baton") : geteuid()
        if facts.owner != owner {
            result.append(
                .wrong(
                    "journal", Text.Doctor.journalOwner(folder, UserName.of(facts.owner)),
                    "chown -R \(ownerNames) \(folder)"))
        } else if facts.permissions & 0o077 != 0 {
            result.append(.wrong("journal", Text.Doctor.journalIsOpen(folder), "chmod 0700 \(folder)"))
        } else if let unusable = unusableFile(in: folder, of: owner) {
            result.append(
                .wrong(
                    "journal", Text.Doctor.journalFile(unusable),
                    "chown \(ownerNames) \(unusable); chmod 0600 \(unusable)"))
        } else {
            result.append(.ok("journal", Text.Doctor.journalIsThere(folder)))
        }
        let names = (try? TextFile.names(in: FilePath(folder))) ?? []
        if let aside = names.sorted().first(where: { $0.hasSuffix(".aside") }) {
            result.append(.warning("journal", Text.Doctor.journalAside("\(folder)/\(aside)"), Text.Doctor.keepAside))
        }
        return result + (disk(folder).map { [$0] } ?? [])
    }

    private func disk(_ folder: String) -> Finding? {
        var room = statvfs()
        guard statvfs(folder, &room) == 0 else { return nil }
        let (free, overflow) = UInt64(room.f_bavail).multipliedReportingOverflow(by: UInt64(room.f_frsize))
        // File systems that count no files say zero of zero.
        guard overflow || free >= Self.noRoom, room.f_files == 0 || room.f_favail > 0 else {
            return .wrong("disk", Text.Doctor.noRoom(folder), Text.Doctor.makeRoom)
        }
        guard !overflow, free < Self.leastRoom else { return nil }
        return .warning("disk", Text.Doctor.littleRoom(folder), Text.Doctor.makeRoom)
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
            guard let facts = FileFacts(path: file) else { return false }
            return facts.owner != owner || facts.permissions & 0o600 != 0o600
        }
    }
}
