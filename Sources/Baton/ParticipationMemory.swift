import Glibc

/// What an app knows of itself from one start to the next: through which turn it has cleared.
///
/// Losing it is safe: the device then asks the app to clear once more.
public struct ParticipationMemory: Sendable {
    struct Contents: Hashable, Sendable {
        /// Empty: nothing is known.
        var journalID = ""
        var clearedThrough: Epoch = 0
    }

    /// No file of such a memory is longer.
    private static let limit = 1 << 16

    private let path: String?

    /// Nothing is remembered; each start of the app may have to clear again.
    public static let none = ParticipationMemory(path: nil)

    /// A file whose folder is made when it is missing.
    public static func file(_ path: String) -> ParticipationMemory { ParticipationMemory(path: path) }

    /// `baton-apps/<app id>.json` in `$XDG_STATE_HOME`, else in `~/.local/state`; without either nothing is remembered.
    public static func standard(for appID: String) -> ParticipationMemory {
        guard !appID.isEmpty, !appID.contains("/"), let folder = stateFolder else { return .none }
        return .file("\(folder)/baton-apps/\(appID).json")
    }

    private static var stateFolder: String? {
        if let state = getenv("XDG_STATE_HOME").map({ String(cString: $0) }), state.hasPrefix("/") { return state }
        if let home = getenv("HOME").map({ String(cString: $0) }), home.hasPrefix("/") { return home + "/.local/state" }
        return nil
    }

    func read() -> Contents {
        // A file that cannot be read is a memory that is lost.
        guard let path, let text = Self.text(of: path) else { return Contents() }
        return Contents(text: text) ?? Contents()
    }

    /// Whole or not at all; false when it could not be written, which the next start pays with one more clearing. So
    /// does a power loss, for the same price, and nothing is forced to the disk.
    @discardableResult
    func write(_ contents: Contents) -> Bool {
        guard let path, let folder = Self.folder(of: path) else { return path == nil }
        Self.makeFolder(folder)
        let temporary = "\(path).\(getpid()).new"
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return false }
        let bytes = Array(contents.text.utf8)
        // So short a text is written whole or not at all.
        let written = Glibc.write(file, bytes, bytes.count) == bytes.count
        close(file)
        guard written, rename(temporary, path) == 0 else {
            unlink(temporary)
            return false
        }
        return true
    }

    private static func text(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            let count = Glibc.read(file, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { return String(validating: bytes, as: UTF8.self) }
            bytes += part.prefix(count)
        }
        return nil
    }

    private static func folder(of path: String) -> String? {
        path.lastIndex(of: "/").map { String(path[..<$0]) }
    }

    private static func makeFolder(_ folder: String) {
        guard !folder.isEmpty, mkdir(folder, 0o700) != 0, errno == ENOENT, let parent = Self.folder(of: folder) else {
            return
        }
        makeFolder(parent)
        mkdir(folder, 0o700)
    }
}
