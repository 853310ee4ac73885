import Clearing
import DBus
import Processes
import Sandbox
import TurnControl

/// All shared holders that the agent knows, in the order of the receipt.
struct Holders: Sendable {
    let all: [any SharedHolder]

    init(surroundings: Surroundings, launcher: Launcher, desktop: Connection?) {
        let folders = UserFolders(home: surroundings.home, environment: surroundings.environment)
        all = [
            ClipboardHolder(environment: surroundings.environment, launcher: launcher),
            KeyringHolder(connection: desktop), MicrosoftCacheHolder(connection: desktop),
            DownloadsHolder(folders: folders), RecentFilesHolder(folders: folders), ThumbnailsHolder(folders: folders),
            PrintJobsHolder(launcher: launcher, users: [surroundings.user] + TurnNumber.all.map(\.user)),
        ]
    }
}
