import Baton

extension Text.Help {
    static let signInDiscussion = """
        With local accounts it asks for the PIN. With OpenID Connect it opens the provider's page with xdg-open, \
        which honours BROWSER, or shows a code for another device, and waits until the sign-in ends. Ctrl-C \
        cancels. Instructions for the worker go to standard error, the result to standard output.

        With --json and OpenID Connect, standard output has an object a line: {"step": {...}} for each step, with \
        kind (open-url, device-code), url, opens (caller, agent), user-code, verification-uri-complete and expires \
        (Unix time in microseconds), then {"account": {...}, "epoch": ...}.
        """
    static let providerOptions = "OpenID Connect"
    static let signInUsername = "The account's user name; with OpenID Connect a hint, which may be left out."
    static let deviceCode = "Sign in on another device, with a code and a QR code that this terminal shows."
    static let noBrowser = "Only print the address of the page."
    static let noQR = "Show no QR code."
    static let prompt = "The prompt to request from the provider: select-account, login, consent or create."
    static let maxAge = "The maximum age of the worker's login at the provider, such as 15min."
    static let loginHint = "The user name to propose on the provider's page."
    static let domainHint = "The organisation to propose on the provider's page."
    static let redirectURI = """
        The redirect URI for the provider's answer: \(Tokens.ownRedirectURI), or one from an app's file; without it, \
        a page of batond on loopback.
        """

    static let handleURL = "Hands the provider's answer to batond; for desktop files."
    static let handleURLDiscussion = """
        Exits with 0 if a sign-in was waiting for the answer, else with 1. It prints nothing of the address.

        The desktop passes the address on the command line, where every process of the machine can read it for a \
        moment unless /proc is mounted with hidepid=2. The address contains a code that is valid once, and only \
        together with a secret that batond alone has (PKCE).
        """
    static let handledURL = "The whole address that the browser was sent to."

    static let installScheme = "Registers the apps' own URL schemes, so that their redirects reach Baton."
    static let installSchemeDiscussion = """
        For each app of apps.d whose redirect URI has a scheme of its own, it writes a desktop file that runs \
        `batonctl handle-url`. It removes the files of schemes that no app has any more, and updates the desktop's \
        database. A second run changes nothing.
        """
    static let schemeApp = "Only this app."
    static let schemeUser = "For this user, in $XDG_DATA_HOME/applications; the default except for root."
    static let schemeSystem = "For all users, in /usr/local/share/applications; the default for root."
    static let schemeRemove = "Remove the files that this command wrote."
    static let dryRun = "Print the changes without making them."
}
