import Glibc
import LinuxSystem

/// What is left of a turn's user after its slice is empty, for which its number may not be used again.
public enum TurnResidue: Hashable, Sendable {
    /// Processes of that user, in its slice or anywhere else.
    case processes([Int32])
    /// logind would start a user manager for it at each boot, outside the slice: `loginctl disable-linger USER`.
    case linger
    /// Keys in the kernel's keyrings: how many, without the two keyrings that the kernel makes for each user.
    case keys(Int)
    /// System V shared memory, semaphores and message queues: how many.
    case ipcObjects(Int)
    /// It could not be looked at: `what` is the file and the reason.
    case unknown(what: String)

    public var text: String {
        switch self {
        case .processes(let pids): "processes: " + pids.map(String.init).joined(separator: ", ")
        case .linger: "lingering is enabled for it"
        case .keys(let count): "keys in the kernel's keyrings: \(count)"
        case .ipcObjects(let count): "System V IPC objects: \(count)"
        case .unknown(let what): "it could not be looked at: \(what)"
        }
    }

    /// Where the kernel and logind tell of it.
    public struct Places: Sendable {
        public var proc = "/proc"
        public var linger = "/var/lib/systemd/linger"

        public init() {}
    }

    /// Looks for all that this user has. The looker must see the processes of other users.
    ///
    /// - Parameters:
    ///   - user: The number of the Unix user.
    ///   - name: Its name, which logind's files have.
    public static func look(for user: UInt32, named name: String, in places: Places = Places()) -> [TurnResidue] {
        var found: [TurnResidue] = []
        if let pids = ProcessRecord.pids(in: places.proc) {
            let own = pids.filter { belongs($0, to: user, places) }.sorted()
            if !own.isEmpty { found.append(.processes(own)) }
        } else {
            found.append(.unknown(what: places.proc))
        }
        if access("\(places.linger)/\(name)", F_OK) == 0 {
            found.append(.linger)
        } else if errno != ENOENT {
            found.append(.unknown(what: "\(places.linger): \(reason(errno))"))
        }
        found += keys(of: user, places) + ipcObjects(of: user, places)
        return found
    }

    /// A process that has ended and was not yet collected has nothing any more.
    private static func belongs(_ pid: pid_t, to user: UInt32, _ places: Places) -> Bool {
        guard let status = readSmallFile("\(places.proc)/\(pid)/status") else { return false }
        let lines = status.split(separator: UInt8(ascii: "\n"))
        let isGone = lines.contains { $0.starts(with: "State:\tZ".utf8) || $0.starts(with: "State:\tX".utf8) }
        guard !isGone, let line = lines.first(where: { $0.starts(with: "Uid:".utf8) }) else { return false }
        // Real, effective, saved and that of the file system: any of the four gives it power.
        return fields(line).dropFirst().contains { $0 == String(user) }
    }

    private static let ownKeyrings = 2

    /// Lines of `/proc/key-users`: `  UID: USAGE NKEYS/NIKEYS QNKEYS/MAXKEYS …`, see proc(5).
    private static func keys(of user: UInt32, _ places: Places) -> [TurnResidue] {
        guard let lines = table("\(places.proc)/key-users") else {
            // A kernel without keyrings has no such file.
            return errno == ENOENT ? [] : [.unknown(what: "\(places.proc)/key-users")]
        }
        for line in lines where line.first == "\(user):" {
            guard let keys = line.dropFirst(2).first?.split(separator: "/").first.flatMap({ Int($0) }) else {
                return [.unknown(what: "\(places.proc)/key-users")]
            }
            // systemd itself has the kernel make the user's keyring and the user's session keyring, see user-keyring(7).
            return keys <= ownKeyrings ? [] : [.keys(keys - ownKeyrings)]
        }
        return []
    }

    /// `/proc/sysvipc`: a heading names the columns; an object has an owner and a creator.
    private static func ipcObjects(of user: UInt32, _ places: Places) -> [TurnResidue] {
        var count = 0
        for kind in ["shm", "sem", "msg"] {
            let path = "\(places.proc)/sysvipc/\(kind)"
            guard let lines = table(path) else {
                if errno == ENOENT { continue }
                return [.unknown(what: path)]
            }
            guard let heading = lines.first else { return [.unknown(what: path)] }
            let columns = heading.indices.filter { heading[$0] == "uid" || heading[$0] == "cuid" }
            guard columns.count == 2 else { return [.unknown(what: "\(path) has no owners")] }
            count += lines.dropFirst().count { line in
                columns.contains { line.indices.contains($0) && line[$0] == String(user) }
            }
        }
        return count == 0 ? [] : [.ipcObjects(count)]
    }

    private static func table(_ path: String) -> [[String]]? {
        errno = 0
        return readSmallFile(path, most: 1 << 20)?.split(separator: UInt8(ascii: "\n")).map(fields)
    }

    private static func fields(_ line: ArraySlice<UInt8>) -> [String] {
        line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map { String(decoding: $0, as: UTF8.self) }
    }
}
