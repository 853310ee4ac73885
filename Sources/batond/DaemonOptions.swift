import BatonContract
import DBus
import Glibc
import Identity
import Journal
import Providers
import Settings
import SystemPackage
import Vocabulary

/// What the command line and the environment say about how batond runs.
struct DaemonOptions: Sendable {
    enum Bus: Sendable, Hashable {
        case session, system
        case address(String)
    }

    var bus: Bus
    /// The settings file; nil: the standard place.
    var config: FilePath?
    /// The state folder; nil: the standard place.
    var state: FilePath?
    /// The agent's program; nil: beside this one.
    var agent: FilePath?
    var environment: [String: String]
    var clock: Clock
    /// The id of this boot; nil: the kernel's.
    var bootID: String?
    /// Each element is a wish that the settings be read again, as SIGHUP is; it is read once.
    var reloads: AsyncStream<Void>
    /// Runs what belongs to no actor's thread; nil: the pool of threads, which wakes up even when there is nothing to do.
    var executor: (any TaskExecutor)?

    init(
        bus: Bus, config: FilePath? = nil, state: FilePath? = nil, agent: FilePath? = nil,
        environment: [String: String], clock: Clock = .system, reloads: AsyncStream<Void> = AsyncStream { $0.finish() },
        executor: (any TaskExecutor)? = nil
    ) {
        self.bus = bus
        self.config = config
        self.state = state
        self.agent = agent
        self.environment = environment
        self.clock = clock
        self.reloads = reloads
        self.executor = executor
    }

    /// Only `--system` is production; a bus at an address is as good as the session's own.
    var scope: Settings.Scope { bus == .system ? .system : .session }

    var address: BusAddress {
        switch bus {
        case .session: .session
        case .system: .system
        case .address(let address): .address(address)
        }
    }

    /// Where the settings are; nil: nothing says it.
    var settingsFile: FilePath? { config ?? Settings.standardFile(scope: scope, environment: environment) }

    /// Reads and judges the settings.
    func parseSettings() async throws(DaemonFault) -> Settings.Parsed {
        guard let file = settingsFile else {
            let text = "cannot find the settings: none of --config, HOME and XDG_CONFIG_HOME is set"
            throw .settings([SettingsCheck.Remark(text: text)])
        }
        let parsed: Settings.Parsed
        do {
            parsed = try await Settings.load(
                file, required: config != nil || scope == .system, scope: scope,
                environment: environment.filter { $0.key != "BATON_BUS" })
        } catch {
            throw .settings(error.all.map(SettingsCheck.Remark.init))
        }
        // What only the client of the provider can judge, such as what its kind of authority allows.
        if let openID = parsed.settings.openID {
            do throws(IdentityError) {
                _ = try ClientSettings(openID)
            } catch {
                let key = SettingsKey.identity.name
                throw .settings([
                    SettingsCheck.Remark(text: "\(file): \(key): \(error.text)", origin: file.string, key: key)
                ])
            }
        }
        return parsed
    }

    struct FolderLayout {
        /// The journal lies here.
        var state: FilePath
        /// What must not survive a boot.
        var runtime: FilePath
    }

    func places() throws(DaemonFault) -> FolderLayout {
        let state: FilePath
        if let given = self.state {
            state = given
        } else if scope == .system {
            state = "/var/lib/baton"
        } else if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
            state = FilePath(folder).appending("baton")
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            state = FilePath(home).appending(".local/state/baton")
        } else {
            throw .state("cannot find the state folder: none of --state, HOME and XDG_STATE_HOME is set")
        }
        let runtime: FilePath =
            if let folder = environment["RUNTIME_DIRECTORY"], folder.hasPrefix("/") {
                FilePath(folder)
            } else if scope == .system {
                "/run/baton"
            } else if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") {
                FilePath(folder).appending("baton")
            } else {
                state
            }
        try Self.make(state)
        try Self.make(runtime)
        // A state folder that cannot be written is another matter: the device is quarantined. Without this one batond could not
        // even keep in mind that it is.
        guard runtime == state || access(runtime.string, W_OK | X_OK) == 0 else {
            throw .state(
                "\(runtime): cannot be written by this user: \(Errno(rawValue: errno)); it is batond's runtime folder, for files"
                    + " that must not survive a reboot: make it writable, or set RUNTIME_DIRECTORY to another")
        }
        return FolderLayout(state: state, runtime: runtime)
    }

    /// Makes a folder and what is missing above it, for this user alone.
    private static func make(_ folder: FilePath) throws(DaemonFault) {
        do throws(JournalFault) {
            try StateFolder(path: folder.string).make()
        } catch {
            throw .state("\(error)")
        }
    }
}
