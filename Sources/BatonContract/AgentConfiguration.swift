import DBus
public import Vocabulary

/// What the agent has to know of the settings: the argument of `Configure`. The agent reads no settings file; it may not.
///
/// The settings alone have defaults. Here a value is nothing or off until batond has said it.
public struct AgentConfiguration: DictionaryMessage, Hashable {
    /// What is managed of the browser.
    public struct ManagedBrowser: DictionaryMessage, Hashable {
        public var kind: BrowserKind = .none
        /// An absolute path; empty: where the system has the browser.
        public var executable = ""
        /// The worker's first page; empty: Baton's own start page.
        public var startPage = ""
        /// The origin whose requests the agent answers inside the browser, such as `https://baton.invalid`: there lie
        /// Baton's start page and the addresses to which the provider sends the browser. Nothing listens there.
        public var address = ""
        /// Further origins and hosts of the provider's sign-in pages, beside the one that it begins at.
        public var signInPages: [String] = []
        /// After how long without input a free device forgets what was typed, and a sign-in in the browser is given up.
        public var leftAfter = Duration.zero
        /// How long a browser may take to show the start page.
        public var startLimit = Duration.zero
        /// Origins (`https://intranet.example.org`) and hosts that pages may be loaded from; empty: all.
        public var allow: [String] = []
        public var isSignOutEnforced = false
        /// A second browser stands by.
        public var hasSpare = false
        /// It runs as the user of the turn, which `PrepareTurn` and `BeginTurn` name.
        public var hasTurnUser = false
        /// The provider's cookie whose disappearance is a sign-out; empty: the agent finds out by itself.
        public var sessionCookie = ""
        /// Further arguments of the browser's program.
        public var arguments: [String] = []

        public init() {}
    }

    /// An app that the agent starts.
    public struct ManagedApp: DictionaryMessage, Hashable {
        public var id: String
        public var name: String
        /// An absolute path and arguments.
        public var command: [String]
        public var environment: [String: String] = [:]
        public var isSandboxed = false
        /// What the sandbox shows of the home folder, `~/…`: writable and lasting; to read; writable and emptied.
        public var keep: [String] = []
        public var readOnly: [String] = []
        public var wipe: [String] = []
        /// Started with a session bus of its own.
        public var hasSessionBus = false
        /// Started when a worker signs in.
        public var startsAtSignIn = false
        /// Registers with the token that it is handed, or not at all.
        public var mustParticipate = false
        /// A path or an icon's name; empty: none.
        public var icon = ""

        public init() { self.init(id: "", name: "", command: []) }

        public init(id: String, name: String, command: [String]) {
            self.id = id
            self.name = name
            self.command = command
        }
    }

    /// What workers read, and how it looks.
    public struct StartPage: DictionaryMessage, Hashable {
        /// Where a worker's own is not known.
        public var language = Language.english
        /// What the terminal is called; empty: the language's own words.
        public var name = ""
        /// The absolute path of a picture; empty: none.
        public var logo = ""
        /// `#rrggbb`, readable on white; empty: the page's own.
        public var accent = ""
        /// Whom to call; empty: the administrator.
        public var contact = ""
        /// Workers of an identity provider may sign in with another device.
        public var offersPhone = false
        /// What the page of a free device shows of the workers before.
        public var recent = RecentWorkers.off
        public var keyboard = ScreenKeyboard.auto
        /// Above a worker's pages and apps.
        public var bar = BarPlace.off
        /// With calls, the account and a log.
        public var isForDevelopers = false

        public init() {}
    }

    /// The desktop that starts with each turn, as the turn's user.
    public struct Desktop: DictionaryMessage, Hashable {
        /// An absolute path and arguments; empty: the desktop is the session's own.
        public var command: [String] = []
        /// A folder whose files the home begins with; empty: none.
        public var home = ""
        /// The layout of the keyboard by the worker's locale.
        public var keyboards = KeyboardsByLocale()
        /// Accounts have layouts of their own.
        public var hasOwnKeyboards = false

        /// Some worker wants another layout than the device's own.
        public var wantsKeyboards: Bool { hasOwnKeyboards || !keyboards.isEmpty }

        public init() {}
    }

    public var browser = ManagedBrowser()
    public var startPage = StartPage()
    public var desktop = Desktop()
    public var apps: [ManagedApp] = []
    /// What is cleared at sign-out; what is not in it stands in the receipt as unchecked.
    public var holders: Set<HolderName> = []
    public var strayProcesses = StrayTreatment.name
    public var strayFiles = StrayTreatment.name
    /// Never taken for strays: absolute paths or `~/…`.
    public var keep: [String] = []
    /// A containment whose only proof is `pid` counts; else it has failed.
    public var acceptsWeakProof = false
    /// How long a worker's turn may be without input before the agent reports it; zero: it reports nothing.
    public var idleAfter = Duration.zero

    public init() {}
}
