import Vocabulary

/// Where something of a turn can be, in words that a worker understands, by the name of its text in `WorkerTexts`.
public enum ReceiptPlace: String, Sendable, CaseIterable {
    case clipboard = "placeClipboard"
    case signIns = "placeSignIns"
    case printJobs = "placePrintJobs"
    case files = "placeFiles"
    case keptFiles = "placeKeptFiles"
    case otherFolders = "placeOtherFolders"
    case programs = "placePrograms"
    case memory = "placeMemory"
    case screen = "placeScreen"
    case browser = "placeBrowser"
    case other = "placeOther"

    /// - Parameter row: Its name in a receipt. One that this version does not know is some other thing.
    public init(row: String) {
        if let holder = HolderName(rawValue: row) {
            self.init(holder)
            return
        }
        switch row {
        case "files": self = .files
        case "kept-files": self = .keptFiles
        case "other-folders": self = .otherFolders
        case "turn", "apps", "processes", "earlier-processes", "user-units": self = .programs
        case "ipc": self = .memory
        case "screen", "screen-properties", "screen-settings": self = .screen
        case "browser": self = .browser
        default: self = .other
        }
    }

    private init(_ holder: HolderName) {
        switch holder {
        case .clipboard: self = .clipboard
        case .keyring, .microsoftCache: self = .signIns
        case .downloads, .thumbnails, .recentFiles: self = .files
        case .printJobs: self = .printJobs
        }
    }
}
