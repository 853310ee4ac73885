import Vocabulary

extension Text {
    /// What `--help` says.
    enum Help {
        static func example(_ lines: String...) -> String {
            (lines.count == 1 ? "Example:\n" : "Examples:\n") + lines.map { "  $ \($0)" }.joined(separator: "\n")
        }

        static let batonctl = "Signs workers in and out of a shared device, and shows its state."
        static let batonctlDiscussion = """
            Exit codes: 0 done, 1 refused or failed; of doctor also 2 only warnings; of sign-out also 3 contained, 4 owed, \
            5 quarantined; 64 wrong usage, 69 no daemon, 77 not allowed, 78 settings; of run and test-app also 127 no such \
            program.

            The bus is the one that BATON_BUS names (system, session or an address). Without it, batonctl uses the system bus \
            if Baton is installed, runs or can be started there, else the session bus. --system, --session and --bus may also stand \
            before the subcommand.
            """
        static let system = "Use the system bus."
        static let session = "Use the session bus."
        static let bus = "Use the bus at this address."
        static let json = "JSON for programs instead of text for people."

        static let status = "Shows the state of the device."
        static let deviceMode = "Shows or sets the device's mode."
        static let setDeviceMode = "Sets the mode; for administrators. Leaving shared mode signs the worker out."
        static let mode = "shared or default."
        static let account = "Shows the current and the previous account; changes the local accounts."
        static let showAccount = "Shows the current and the previous account."
        static let listAccounts = "Shows the local accounts."
        static let addAccount = "Adds a local account and asks for its PIN."
        static let editAccount = "Changes the name, locale or keyboard of a local account, from its next sign-in on."
        static let removeAccount = "Removes a local account."
        static let overview = "Says where this terminal stands, and what can be done now; batonctl alone does the same."
        static let settings = "Shows and changes the settings."
        static let settingsDiscussion =
            "They are read from baton.yaml and then from the files of baton.yaml.d beside it, in the order of their names: a later "
            + "one's keys count. A terminal's vendor may have files in /usr/lib/baton/baton.yaml.d. The environment and systemd's "
            + "credentials go before all files. 'set' writes 50-batonctl.yaml into baton.yaml.d."
        static let listSettings = "Shows the settings that are made."
        static let getSetting = "Shows the value of one setting."
        static let setSetting = "Makes a setting, in a file of its own."
        static let setSettingDiscussion =
            "The value is as it would be in baton.yaml, such as 5s, off or [a, b]. Nothing is changed if batond would refuse the "
            + "settings; a batond that runs reads them again."
        static let unsetSetting = "Takes back a setting that 'set' has made."
        static let settingKey = "The setting, such as barrier.hard."
        static let settingValue = "Its value, as in baton.yaml."
        static let showOrigin = "Say in which file and line each is, or where else it is from."
        static let allSettings = "Show those that have their defaults, too."
        static let lockedAccounts = "Shows the local accounts with wrong PINs, locked ones among them."
        static let unlockAccount = "Forgets the wrong PINs of a local account, for administrators."
        static let unlockAccountDiscussion =
            "Eight wrong PINs in a row lock an account for five minutes, and each after the third has to be waited for. After "
            + "this the next PIN is checked at once, at the start page and elsewhere."
        static let setPIN = "Sets a new PIN for a local account."
        static let username = "The account's user name."
        static let name = "The worker's name for people; without it, the user name."
        static let locale = "The worker's locale, such as hr or de_AT."
        static let keyboard = "The layout of the worker's keyboard, such as de or ch(fr)."
        static let newLocale = "The worker's locale, such as hr or de_AT; '' for none."
        static let newKeyboard =
            "The layout of the worker's keyboard, such as de or ch(fr); '' for the one of their locale."
        static let newName = "The worker's name for people."
        static let config = "The settings file, if it is not in its usual place; accounts.yaml is beside it."
        static let file = "file"
        static let pinStdin = "Read the PIN from standard input, one line, instead of asking."
        static let signIn = "Signs a worker in."
        static let signOut = "Signs the worker out, and waits until every app has cleared."
        static let reason = "The reason: user or, for administrators, administrator."
        static let keepSignedIn = "Ends a pending automatic sign-out."
        static let lock = "Covers the screen until the worker is back. Their turn goes on."
        static let lockDiscussion = """
            The worker's PIN shows the screen again, or another worker signs this one out. After \
            \(SettingsKey.automaticSignOutLockGrace) the worker is signed out. Workers of an identity provider choose a PIN for the turn, \
            or come back with a phone where \(SettingsKey.startPagePhone) is true.
            """
        static let withoutPIN = "Choose no PIN for this turn: the worker comes back with a phone."
        static let unlock = "Shows a locked screen again, with the worker's PIN or a phone of theirs."
        static let unlockDeviceCode =
            "Come back at the identity provider, on another device, with a code and a QR code that this terminal shows."
        static let newPINStdin = "Read a new PIN for this turn from standard input, one line, instead of asking."
        static let watch = "Shows each event as it happens, with the time, one a line, until interrupted."
        static let epoch = "The turn to show in full; without it, a line for each of the newest."
        static let newest = "How many, from 1 to 1000."
        static let apps = "Shows the apps that take part, and those that owe."
        static let listApps = "Shows the apps that take part, and those that owe."
        static let forget = "Forgets what an app owes, or what all apps owe; for administrators."
        static let appID = "The app's id, such as org.example.WardList."
        static let uid = "The user whose app it is; needed when several users have one of this id."
        static let forgetAll = "Forget what all apps owe; with --uid, what that user's apps owe."
        static let token = "Prints an access token of the worker who holds the device."
        static let tokenDiscussion = """
            For trying out APIs that need a token. If the setting \(SettingsKey.commandLineTokens) does not allow it, the command \
            exits with 78. The token belongs to the worker's turn. A program or person that has it can act as the worker until \
            it expires.
            """
        static let call = "Fetches an address with a token of the worker who holds the device."
        static let callDiscussion = """
            Sends a GET request with an access token and prints the body of the response. The setting \
            \(SettingsKey.commandLineTokens) must list the origin of the address. A redirect to another origin is followed without the \
            token. The limit is 1 MiB.

            Exit codes: 0 for a status 2xx, else the first digit of the status: 3, 4 or 5; 1 no answer; 77 an origin that \
            is not listed; 78 the setting is off.
            """
        static let scope = "A scope of the token; may be repeated. Without it, the scopes of the sign-in."
        static let forceRefresh = "Ask the provider even if a token is still valid."
        static let interactive = "Open a page of the provider if it is needed, and sign in if no worker is signed in."
        static let callURL = "The address to fetch."
        static let caFile = "A PEM file with the only certificate authorities to trust."
        static let callTimeout = "The time limit for a response, in seconds, 1 to 600."
        static let hashPIN = "Makes the hash of a PIN for an account."
        static let hashPINDiscussion = """
            The PIN must have the length that \(SettingsKey.identityLeastPINLength) demands. batonctl reads it from the settings \
            file of --config, else from the one in its usual place if that can be read.
            """
        static let reset = "Ends a quarantine and says what could not be proven; for administrators."
        static let reload = "Makes batond read its settings again; for administrators."
        static let participate = "Takes part on behalf of a script."
        static let participateDiscussion = """
            Holds the connection to batond until it is stopped and runs a shell command for each event. The commands \
            find BATON_EPOCH, BATON_USERNAME and BATON_NAME in their environment. If the clear command exits with 0, \
            the app has cleared; else it has failed and the device contains it.

            With --json, standard output has an object a line for each event (ready, signed-in, signed-in-failed, cleared, \
            not-cleared, postponed), and what the commands print goes to standard error.
            """
        static let signedInCommand = "Run at each sign-in."
        static let clearCommand = "Run when the app must clear what it holds of the worker."
        static let command = "command"
        static let quiet = "Print only that the participant is ready."
        static let appIDName = "app-id"
    }
}
