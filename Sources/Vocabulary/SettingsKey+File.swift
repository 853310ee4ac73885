/// The keys of `baton.yaml`: code has each name here and nowhere else, also for messages.
extension SettingsKey {
    package static let mode = SettingsKey("mode")

    package static let identity = SettingsKey("identity")
    package static let identityKind = identity["kind"]
    /// The list of an earlier version.
    package static let identityAccounts = identity["accounts"]
    package static let identityLeastPINLength = identity["least-pin-length"]
    package static let identityAuthority = identity["authority"]
    package static let identityAuthorityType = identity["authority-type"]
    package static let identityClientID = identity["client-id"]
    package static let identityScopes = identity["scopes"]
    package static let identityAllowedTenants = identity["allowed-tenants"]
    package static let identityAllowAnyTenant = identity["allow-any-tenant"]
    package static let identityAllowPersonalAccounts = identity["allow-personal-accounts"]
    package static let identityAllowGuests = identity["allow-guests"]
    package static let identityLoopbackPort = identity["loopback-port"]
    package static let identityPostLogoutRedirectURI = identity["post-logout-redirect-uri"]
    package static let identityOffline = identity["offline"]
    package static let identityRequestTimeout = identity["request-timeout"]
    package static let identitySignOutWait = identity["sign-out-wait"]
    package static let identityWithoutFreshLogin = identity["without-fresh-login"]
    package static let identityCAFile = identity["ca-file"]
    package static let identityProxy = identity["proxy"]
    package static let identityClientSecretFile = identity["client-secret-file"]
    package static let identityClientCertificateFile = identity["client-certificate-file"]

    package static let barrier = SettingsKey("barrier")
    package static let barrierSoft = barrier["soft"]
    package static let barrierHard = barrier["hard"]
    package static let barrierAbsolute = barrier["absolute"]
    package static let barrierContainment = barrier["containment"]
    package static let barrierUnproven = barrier["unproven"]
    package static let barrierUnlistedApps = barrier["unlisted-apps"]

    package static let automaticSignOut = SettingsKey("automatic-sign-out")
    package static let automaticSignOutPreset = automaticSignOut["preset"]
    package static let automaticSignOutTurn = automaticSignOut["turn"]
    package static let automaticSignOutIdle = automaticSignOut["idle"]
    package static let automaticSignOutLock = automaticSignOut["lock"]
    package static let automaticSignOutLockGrace = automaticSignOut["lock-grace"]
    package static let automaticSignOutCountdown = automaticSignOut["countdown"]
    package static let automaticSignOutAnyInput = automaticSignOut["any-input"]
    package static let automaticSignOutAt = automaticSignOut["at"]

    package static let browser = SettingsKey("browser")
    package static let browserKind = browser["kind"]
    package static let browserExecutable = browser["executable"]
    package static let browserStartPage = browser["start-page"]
    package static let browserAddress = browser["address"]
    package static let browserAllow = browser["allow"]
    package static let browserSignInPages = browser["sign-in-pages"]
    package static let browserLeftAfter = browser["left-after"]
    package static let browserStartLimit = browser["start-limit"]
    package static let browserSignOut = browser["sign-out"]
    package static let browserSpare = browser["spare"]
    package static let browserSessionCookie = browser["session-cookie"]
    package static let browserArguments = browser["arguments"]

    package static let startPage = SettingsKey("start-page")
    package static let startPageLanguage = startPage["language"]
    package static let startPageName = startPage["name"]
    package static let startPageLogo = startPage["logo"]
    package static let startPageAccent = startPage["accent"]
    package static let startPagePhone = startPage["phone"]
    package static let startPageBar = startPage["bar"]
    package static let startPageRecent = startPage["recent"]
    package static let startPageKeyboard = startPage["keyboard"]
    package static let startPageContact = startPage["contact"]
    package static let startPageDeveloper = startPage["developer"]

    package static let desktop = SettingsKey("desktop")
    package static let desktopKind = desktop["kind"]
    package static let desktopCommand = desktop["command"]
    package static let desktopHome = desktop["home"]
    package static let desktopKeyboards = desktop["keyboards"]

    package static let agent = SettingsKey("agent")
    package static let agentUser = agent["user"]
    package static let agentRequired = agent["required"]
    package static let agentStart = agent["start"]
    package static let agentGrace = agent["grace"]
    package static let agentAcceptWeakProof = agent["accept-weak-proof"]

    package static let strays = SettingsKey("strays")
    package static let straysProcesses = strays["processes"]
    package static let straysFiles = strays["files"]
    package static let straysKeep = strays["keep"]

    package static let sharedHolders = SettingsKey("shared-holders")

    package static let signInTimeout = SettingsKey("sign-in-timeout")
    package static let tokens = SettingsKey("tokens")
    package static let commandLineTokens = SettingsKey("command-line-tokens")

    package static let limits = SettingsKey("limits")
    package static let limitsParticipants = limits["participants"]
    package static let limitsParticipantsPerUser = limits["participants-per-user"]
    package static let limitsDebtsPerUser = limits["debts-per-user"]
    package static let limitsDetails = limits["details"]
    package static let limitsReceipts = limits["receipts"]

    package static let log = SettingsKey("log")
    package static let logNames = log["names"]

    package static let metrics = SettingsKey("metrics")
    package static let metricsTextfile = metrics["textfile"]
    package static let metricsSocket = metrics["socket"]

    package static let administrators = SettingsKey("administrators")
    package static let rememberPrevious = SettingsKey("remember-previous")
    package static let keepReceipts = SettingsKey("keep-receipts")
}
