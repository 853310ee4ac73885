import BatonContract
import LocalAccounts
import Settings

extension AgentConfiguration {
    /// What the agent has to know of the settings.
    init(_ settings: Settings, hasTurnUsers: Bool = false) {
        self.init()
        browser.hasTurnUser = hasTurnUsers
        browser.kind = settings.browser.kind
        browser.executable = settings.browser.executable ?? ""
        browser.startPage = settings.browser.startPage ?? ""
        browser.address = settings.browser.address
        browser.allow = settings.browser.allow
        browser.signInPages = settings.browser.signInPages
        browser.leftAfter = settings.browser.leftAfter
        browser.startLimit = settings.browser.startLimit
        browser.isSignOutEnforced = settings.browser.signOut == .enforced
        browser.hasSpare = settings.browser.hasSpare
        browser.sessionCookie = settings.browser.sessionCookie ?? ""
        browser.arguments = settings.browser.arguments
        startPage.language = settings.startPage.language
        startPage.name = settings.startPage.name
        startPage.logo = settings.startPage.logo ?? ""
        startPage.accent = settings.startPage.accent
        startPage.offersPhone = settings.startPage.offersPhone
        startPage.recent = settings.startPage.recent
        startPage.keyboard = settings.startPage.keyboard
        startPage.bar = settings.startPage.bar
        startPage.contact = settings.startPage.contact
        startPage.isForDevelopers = settings.startPage.isForDevelopers
        if settings.desktop.kind == .turn {
            desktop.command = settings.desktop.command
            desktop.home = settings.desktop.home
        }
        desktop.keyboards = settings.desktop.keyboards
        desktop.hasOwnKeyboards = settings.accounts.contains { $0.keyboard != nil }
        apps = settings.apps.filter { !$0.command.isEmpty }.map { ManagedApp($0) }
        holders = settings.holders.cleared
        strayProcesses = settings.strays.processes
        strayFiles = settings.strays.files
        // What an app may keep is no stray, whether or not the agent started the app.
        keep = settings.strays.keep + settings.apps.flatMap { $0.keep + $0.home.keep }
        acceptsWeakProof = settings.agent.acceptsWeakProof
        // The countdown is the last part of it.
        let countdown = settings.automaticSignOut.idle.map { $0 - settings.automaticSignOut.countdown }
        idleAfter = [countdown, settings.automaticSignOut.lock].compactMap(\.self).min() ?? .zero
    }
}

extension AgentConfiguration.ManagedApp {
    init(_ settings: AppSettings) {
        self.init(id: settings.id, name: settings.name, command: settings.command)
        environment = settings.environment
        isSandboxed = settings.isSandboxed
        keep = settings.home.keep
        readOnly = settings.home.readOnly
        wipe = settings.home.wipe
        hasSessionBus = settings.hasSessionBus
        startsAtSignIn = settings.startsAtSignIn
        mustParticipate = settings.participant == .required
        icon = settings.icon ?? ""
    }
}
