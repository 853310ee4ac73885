import Baton

extension Text.Help {
    static let signInDiscussion = """
        With local accounts it asks for the PIN. With OpenID Connect it opens the provider's page with xdg-open, \
        which honours BROWSER, or shows a code for another device, and waits until the worker is through. Ctrl-C \
        cancels. What the worker has to do goes to standard error, the result to standard output.

        With --json and OpenID Connect, standard output has an object a line: {"step": {...}} for each step, with \
        kind (open-url, device-code), url, opens (caller, agent), user-code, verification-uri-complete and expires \
        (Unix time in microseconds), then {"account": {...}, "epoch": ...}.
        """
    static let providerOptions = "OpenID Connect"
    static let signInUsername = "The account's user name; with OpenID Connect a hint, which may be left out."
    static let deviceCode = "Sign in on another device, with a code and a QR code that this terminal shows."
    static let noBrowser = "Only print the address of the page."
    static let noQR = "Show no QR code."
    static let prompt = "What the provider shall ask for: select-account, login, consent or create."
    static let maxAge = "How long ago the worker may have authenticated at the provider, such as 15min."
    static let loginHint = "The user name that the provider's page begins with."
    static let domainHint = "The organisation that the provider's page begins with."
    static let redirectURI = """
        Where the provider's answer arrives: \(Tokens.ownRedirectURI), or one that an app's file names; without it, \
        at a page of batond on loopback.
        """

    static let handleURL = "Hands the provider's answer to batond; for desktop files."
    static let handleURLDiscussion = """
        Ends with 0 when a sign-in waited for it, with 1 when none did. It prints nothing of the address.

        The desktop hands the address over on the command line, where every process of the machine can read it for a \
        moment unless /proc is mounted with hidepid=2. What it carries is a code that counts once and is worth \
        nothing without what batond alone has (PKCE).
        """
    static let handledURL = "The whole address that the browser was sent to."

    static let installScheme = "Brings the redirects of apps' own URL schemes to Baton."
    static let installSchemeDiscussion = """
        For each app of apps.d whose redirect URI has a scheme of its own, it writes a desktop file that runs \
        `batonctl handle-url`, takes those away that no app has any more, and lets the desktop know. Doing it again \
        changes nothing.
        """
    static let schemeApp = "Only this app."
    static let schemeUser = "For this user, in $XDG_DATA_HOME/applications; the default except for root."
    static let schemeSystem = "For everybody, in /usr/local/share/applications; the default for root."
    static let schemeRemove = "Take away what this command wrote."
    static let dryRun = "Say what would be done, and do nothing."
}
