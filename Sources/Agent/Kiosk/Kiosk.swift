import BatonContract
import Browsers
import Clearing
import Display
import LinuxSystem
import Logging
import TurnControl
import Vocabulary

/// What the session shows and runs for workers: browsers, managed apps, the cover, and what is cleared when a turn ends.
///
/// batond says when; each of its calls is answered when it is done and looked at.
actor Kiosk {
    let parts: Parts
    let link: any DeviceLink
    let apps: ManagedApps
    let log: Logger
    var configuration = AgentConfiguration()
    private(set) var browsers: KioskBrowsers?
    private(set) var startPages: StartPageServer?
    var turn: Turn?
    /// A beginning that is still under way goes no further when the turn's end was asked for.
    let gate: TurnGate
    /// What an earlier agent left and could not be ended; nil: not looked yet.
    private var unswept: [String]?
    /// As whom browsers and apps run.
    let users: TurnUserChoice
    var isCovered = false { didSet { renewBar() } }
    /// Who holds the device, as people know them; empty: no worker.
    var holder = "" { didSet { renewBar() } }
    /// Of the worker who holds the device, or the device's own.
    var language = Language.english
    var recent = RecentTiles()
    /// Of the start pages that there are.
    private var look = AgentConfiguration.StartPage()
    /// Its deadline is CLOCK_BOOTTIME in microseconds.
    var countdown: (task: Task<Void, Never>, deadline: UInt64, reason: SignOutReason?)? { didSet { renewBar() } }
    /// Nil: the screen is not locked.
    var locked: LockedScreen? { didSet { if (oldValue == nil) != (locked == nil) { renewBar() } } }
    /// Hears what is pressed on it.
    var lockKeys: Task<Void, Never>?
    /// Takes back what was typed on it and left there.
    var forgetting: Task<Void, Never>?
    /// Above the worker's pages and apps.
    let bar: WorkerBar
    /// Says on the cover what a sign-out waits for.
    var progress: Task<Void, Never>?
    var idleWatch: Task<Void, Never>?
    /// Looked for anew when it ends.
    var foundIdle = FoundIdle()
    /// As batond was told; nil: not yet.
    var state: AgentState?
    /// The last input before the device became idle, as batond was told; nil: it is not idle.
    var idleSince: UInt64?
    /// How many steps of a sign-out run now.
    private var steps = 0

    init(parts: Parts, link: any DeviceLink, apps: ManagedApps, log: Logger) {
        self.parts = parts
        self.link = link
        self.apps = apps
        gate = apps.gate
        users = apps.users
        self.log = log
        bar = WorkerBar(make: parts.bar, signOut: { [link] in await link.signOut(.user, epoch: $0) })
    }

    /// Runs a step of a sign-out. When none runs any more a browser is started to stand by: sooner, its start would slow down
    /// what a worker waits for, and be one more thing to tell from strays.
    func step<Result: Sendable>(_ work: () async -> Result) async -> Result {
        steps += 1
        let result = await work()
        steps -= 1
        if steps == 0 { await browsers?.prepareSpare() }
        return result
    }

    /// Takes over the settings; the first time only after all that an earlier agent left is gone.
    func configure(_ configuration: AgentConfiguration) async -> AgentState {
        _ = await sweep()
        let idleAfter = self.configuration.idleAfter
        self.configuration = configuration
        let missingLook = await parts.setLook(configuration.startPage)
        users.configure(isNeeded: configuration.browser.hasTurnUser)
        await apps.configure(configuration.apps, desktop: configuration.desktop)
        var browser = ""
        var warnings = await parts.warnings(configuration)
        if configuration.browser.kind != .none {
            let executable = parts.executable(configuration.browser)
            if let version = await parts.maker(configuration.browser.kind).version(executable) {
                browser = version
            } else {
                warnings.append("\(executable) cannot be run: install it, or set \(SettingsKey.browserKind) to none")
            }
        }
        await renewBrowsers()
        await browsers?.sayPage(isNews: true)
        let offered = await apps.offered
        await startPages?.change { $0.apps = offered }
        if !configuration.desktop.command.isEmpty, !configuration.browser.hasTurnUser {
            warnings.append(
                "workers have no desktop: turns have no users, which \(SettingsKey.desktopKind) turn needs "
                    + "(systemctl enable --now baton-turns.target)")
        }
        if configuration.startPage.isForDevelopers {
            warnings.append("the start page has the part for developers: \(SettingsKey.startPageDeveloper) is true")
        }
        if let missingLook { warnings.append(missingLook) }
        if let problem = unswept?.first { warnings.append("left by an earlier agent: \(problem)") }
        let isFound = await findFirstIdle()
        if configuration.idleAfter != idleAfter || isFound, let turn, gate.admits(turn.epoch) {
            watchIdle(in: turn.epoch, since: BootClock.now)
        }
        if let problem = idleProblem { warnings.append(problem) }
        let state = AgentState(
            proof: parts.proof, browser: browser, display: parts.display, idle: foundIdle.source, warnings: warnings)
        self.state = state
        return state
    }

    func hasStarted(_ pid: Int32, for app: String, limit: TimeLimit) async -> Bool {
        await apps.hasStarted(pid, for: app, limit: limit)
    }

    /// The problems of what an earlier agent left; asked again as long as there are any.
    func sweep() async -> [String] {
        if let unswept, unswept.isEmpty { return [] }
        let problems = await parts.sweep()
        unswept = problems
        for problem in problems { log.error("left by an earlier agent", metadata: ["problem": "\(problem)"]) }
        return problems
    }

    /// Other settings get other browsers, but none is taken from a worker: while one holds the device, this waits for the end.
    func renewBrowsers() async {
        let settings = configuration.browser
        let isSame =
            settings == browsers?.settings ?? AgentConfiguration.ManagedBrowser() && look == configuration.startPage
        guard !isSame, turn == nil || browsers == nil else { return }
        look = configuration.startPage
        await browsers?.close()
        browsers = nil
        startPages = nil
        guard settings.kind != .none else { return }
        var setup = BrowserSetup(executable: parts.executable(settings), address: settings.address)
        setup.allow = settings.allow
        setup.arguments = parts.windowArguments(settings.kind) + settings.arguments
        let startPages = StartPageServer(address: settings.address, look: await StartPageLook(look))
        await startPages.join(outside)
        let browsers = KioskBrowsers(
            maker: parts.maker(settings.kind), settings: settings, setup: setup, startPages: startPages, gate: gate,
            users: users, isIsolated: parts.isolatesPrograms, log: log,
            outside: KioskBrowsers.Outside(
                sessionEnded: { [weak self] epoch in await self?.browserSignedOut(epoch) },
                signInLeft: { [link] in _ = await link.cancelSignIn() },
                startPage: { [link] isShown in await link.startPage(isShown: isShown) },
                idle: { [weak self] in await self?.foundIdle.idle() ?? nil }))
        await startPages.change { $0.leftAfter = Int(clamping: settings.leftAfter.components.seconds * 1000) }
        self.browsers = browsers
        self.startPages = startPages
        // Not waited for: the device is ready before its page is, and a step that needs the page waits for it.
        Task { await browsers.open() }
        if let turn, gate.admits(turn.epoch) { await browsers.begin(turn) }
        await refresh()
    }

    // MARK: Turns

    /// The display is open to the turn's programs, and to those of no other.
    func admitUsers() async {
        if configuration.browser.hasTurnUser { await parts.admit(users.onDisplay) }
    }

    /// The next turn, and the start page before it, has that user.
    ///
    /// - Parameter epoch: The turn that goes on: nothing is shown before its end. Nil: none does.
    func prepare(_ user: TurnNumber, beside epoch: Epoch?) async {
        guard epoch == nil || parts.isolatesPrograms else { return }
        users.prepare(user, beside: epoch != nil)
        if epoch != nil {
            await browsers?.standBy()
            return
        }
        await admitUsers()
        // Not waited for: a browser that is slow must not look like an agent that fails.
        Task { [browsers] in await browsers?.renew(for: user) }
    }

    func begin(_ turn: Turn) async {
        guard gate.admits(turn.epoch) else { return }
        // Asked again after batond's own restart: the turn goes on.
        if self.turn?.epoch == turn.epoch {
            self.turn?.endSession = turn.endSession
            self.turn?.logOuts = turn.logOuts
            self.turn?.issuer = turn.issuer
            await sayIdle(in: turn.epoch)
        } else {
            self.turn = turn
            let layout = await rememberScreen(before: turn)
            await apps.setTurnEnvironment(environment(of: turn), keyboard: layout)
            // The turn may have ended meanwhile: what comes next is not to have its user.
            if gate.admits(turn.epoch) {
                users.begin(turn.user)
                watchIdle(in: turn.epoch, since: min(turn.start.microseconds, BootClock.now))
            }
            await parts.strays.endWaitingProcesses(before: turn.start.ticks, limit: .seconds(1))
        }
        await refresh()
        guard let turn = self.turn, gate.admits(turn.epoch) else { return }
        await takeOverCountdown(in: turn.epoch)
        await admitUsers()
        // Not waited for: the turn has begun, and a browser that is slow must not look like an agent that fails.
        await browsers?.begin(turn)
        let problem = await apps.startDesktop(in: turn.epoch)
        if !problem.isEmpty { await startPages?.change { $0.message = problem } }
        await apps.startAll(in: turn.epoch)
    }

    private func environment(of turn: Turn) -> [String: String] {
        parts.languageEnvironment(turn.locale)
    }

    /// A worker signed out inside the browser.
    func browserSignedOut(_ epoch: Epoch) async {
        guard turn?.epoch == epoch else { return }
        log.notice("the worker signed out in the browser", metadata: ["epoch": "\(epoch)"])
        _ = await link.signOut(.browser, epoch: epoch)
    }

    // MARK: Sign-in pages

    func openSignIn(_ url: String, again: Bool) async throws {
        guard let browsers else {
            throw BatonError(.failed, "This device has no browser of its own. Open the page in another.")
        }
        do {
            try await browsers.openSignIn(url, again: again)
        } catch {
            log.error("a sign-in page was not opened", metadata: ["cause": "\(error)"])
            throw BatonError(.failed, "The browser of this device did not open the page.")
        }
    }

    func closeSignIn(limit: TimeLimit) async -> Bool {
        let swept = await sweep().isEmpty
        // Whatever the person at the page has left, the next worker has another user.
        users.forgetNext()
        guard let browsers else { return swept }
        return await browsers.closeSignIn(limit: limit) && swept
    }

    /// Ends everything that it started.
    func close() async {
        endIdleWatch()
        endProgress()
        await bar.close()
        await browsers?.close()
        await apps.close()
        lockKeys?.cancel()
        // The worker's windows are there, and a display keeps a lock until the next agent comes.
        if isCovered, locked == nil { await parts.screen?.uncover() }
    }
}
