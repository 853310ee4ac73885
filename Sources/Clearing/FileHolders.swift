import Glibc
public import LinuxSystem
import Vocabulary
import Wiping

/// Files and folders of the turn in the folders where downloads go.
public struct DownloadsHolder: SharedHolder {
    public let name = "downloads"
    private let folders: UserFolders

    public init(folders: UserFolders) { self.folders = folders }

    public func warning() async -> String? { nil }

    public func clear(_ turn: TurnStart, limit: TimeLimit) async -> HolderReport {
        let folders = folders
        guard let roots = await OwnThread.run(limit: limit, { folders.downloads }) else {
            return HolderReport(name, .failed, "timed out, or no thread was left")
        }
        return await clearFiles(of: turn, below: roots, folders, limit)
    }
}

/// Preview pictures of the turn: they show what was in files that are gone.
public struct ThumbnailsHolder: SharedHolder {
    public let name = "thumbnails"
    private let folders: UserFolders

    public init(folders: UserFolders) { self.folders = folders }

    public func warning() async -> String? { nil }

    public func clear(_ turn: TurnStart, limit: TimeLimit) async -> HolderReport {
        await clearFiles(
            of: turn, below: [folders.cache + "/thumbnails", folders.home + "/.thumbnails"], folders, limit)
    }
}

/// The lists of recently used files, of GTK and of KDE.
public struct RecentFilesHolder: SharedHolder {
    public let name = "recent-files"
    private let folders: UserFolders

    public init(folders: UserFolders) { self.folders = folders }

    public func warning() async -> String? { nil }

    public func clear(_ turn: TurnStart, limit: TimeLimit) async -> HolderReport {
        // One file holds the turn's entries and older ones; without a way to tell, all of them go when it changed.
        let lists = [
            folders.data + "/recently-used.xbel", folders.home + "/.recently-used",
            folders.home + "/.recently-used.xbel",
        ]
        let left = await OwnThread.run(limit: limit) { lists.filter { !Self.remove($0, turn) } }
        guard let left else { return HolderReport(name, .failed, "timed out, or no thread was left") }
        if let first = left.first { return HolderReport(name, .failed, "\(first) cannot be removed") }
        return await clearFiles(of: turn, below: [folders.data + "/RecentDocuments"], folders, limit)
    }

    /// False when a list of the turn is still there.
    private static func remove(_ path: String, _ turn: TurnStart) -> Bool {
        let filter = TurnFilter(user: getuid(), since: turn.wall, isLook: false)
        // A program that is just ending may write it once more.
        for _ in 1...3 {
            guard let facts = FileFacts(path: path), filter.takes(facts) else { return true }
            if unlink(path) != 0 && errno != ENOENT { return false }
        }
        return FileFacts(path: path).map(filter.takes) != true
    }
}

extension SharedHolder {
    fileprivate func clearFiles(
        of turn: TurnStart, below roots: [String], _ folders: UserFolders, _ limit: TimeLimit
    ) async -> HolderReport {
        let files = StrayFiles(roots: roots, alwaysKept: [], home: folders.home, turn: turn)
        let report = await files.end(limit: limit)
        guard let explanation = report.explanation else {
            return HolderReport(name, .clean, report.removed == 0 ? "" : "\(report.removed) removed")
        }
        return HolderReport(name, .failed, explanation)
    }
}
