/// What all apps of a session share and a sign-out clears, by the names of settings and receipts.
public enum HolderName: String, Hashable, Sendable, Codable, CaseIterable {
    case clipboard, keyring, downloads, thumbnails
    case microsoftCache = "microsoft-cache"
    case recentFiles = "recent-files"
    case printJobs = "print-jobs"
}
