import BatonContract
import Browsers
import LinuxSystem
import Logging
import Sandbox
import TurnControl
import Vocabulary

/// The browsers of this session: the one in front, one that stands by, and one for a holder who proves themselves again.
///
/// A browser that held anything of a worker is never used again. It is `leaving` until its end is proven, and every sign-out
/// asks for that proof anew.
actor KioskBrowsers {
    let maker: any BrowserMaker
    let settings: AgentConfiguration.ManagedBrowser
    private let setup: BrowserSetup

    /// What happens outside.
    struct Outside: Sendable {
        /// The provider's session in the browser has ended: the cookie is gone.
        var sessionEnded: @Sendable (Epoch) async -> Void
        /// No person is at the sign-in in the browser any more: it is to be cancelled.
        var signInLeft: @Sendable () async -> Void = {}
        /// Whether a free device shows its start page has changed.
        var startPage: @Sendable (Bool) async -> Void = { _ in }
        /// How long ago a person touched keyboard or pointer; nil: this session does not say.
        var idle: @Sendable () async -> Duration? = { nil }
    }

    let startPages: StartPageServer
    let log: Logger
    let outside: Outside

    var front: BrowserInstance?
    /// The last turn whose end had been asked for when the one in front came with the start page.
    private(set) var frontAfter: Epoch = 0
    /// How long the last one took to start, without its page.
    private(set) var lastStart = Duration.zero
    /// Being started to stand in front.
    private(set) var coming: Task<BrowserInstance?, Never>?
    var spare: BrowserInstance?
    var spareTask: Task<Void, Never>?
    /// As whom the one that is being started to stand by runs; nil: as `users` says when it is started.
    var spareUser: TurnNumber?
    var again: BrowserInstance?
    var leaving: [BrowserInstance] = []
    var turn: Turn?
    let gate: TurnGate
    let users: TurnUserChoice
    /// No program of the display reaches another's that has no window.
    let isIsolated: Bool
    /// A page of the provider is or was open in the front browser.
    var isSigningIn = false
    private(set) var isOpen = true
    /// How many browsers in a row were replaced, since they had not painted the start page in time.
    var lateStarts = 0
    private var failures = 0
    var poll: Task<Void, Never>?
    var signInWatch: Task<Void, Never>?
    /// What was said last.
    var isShownSaid: Bool?
    private var opening: Task<Void, Never>?
    /// How many times a sign-in ended: one whose browser was still coming then must not open its page any more.
    var signInEnds: UInt64 = 0

    init(
        maker: any BrowserMaker, settings: AgentConfiguration.ManagedBrowser, setup: BrowserSetup,
        startPages: StartPageServer,
        gate: TurnGate, users: TurnUserChoice = TurnUserChoice(), isIsolated: Bool = false, log: Logger,
        outside: Outside
    ) {
        self.maker = maker
        self.settings = settings
        self.setup = setup
        self.startPages = startPages
        self.gate = gate
        self.users = users
        self.isIsolated = isIsolated
        self.log = log
        self.outside = outside
    }

    // MARK: Starting

    /// - Parameter user: Nil: of the turn that runs, or of the next one if none does.
    func start(as user: TurnNumber? = nil) async -> BrowserInstance? {
        do {
            var setup = setup
            setup.user = if let user { user } else { try await users.user(within: .seconds(10)) }
            let began = SuspendingClock.now
            let instance = BrowserInstance(try await maker.start(setup, pages: startPages), as: setup.user)
            lastStart = began.duration(to: .now)
            await startPages.add(instance)
            Task { [weak self] in
                await instance.browser.confinement.untilGone()
                await self?.gone(instance)
            }
            failures = 0
            return instance
        } catch {
            failures += 1
            log.error("a browser was not started", metadata: ["cause": "\(error)"])
            return nil
        }
    }

    func next() async -> BrowserInstance? {
        // One that is being started is sooner there than another, unless a process has stopped it.
        if spare == nil, let spareTask, spareUser == nil || spareUser == users.wanted {
            let (ready, tell) = AsyncStream.makeStream(of: Void.self)
            Task {
                await spareTask.value
                tell.yield()
            }
            _ = await ready.first(within: .seconds(4))
        }
        // What stands by for the next worker is not for this one.
        if let ready = spare, ready.user == users.wanted || ready.user != users.next {
            spare = nil
            if ready.user == users.wanted {
                if await answers(ready) { return ready }
                log.warning("the browser that stood by does not answer")
            }
            discard(ready)
        }
        return await start()
    }

    /// A process may have stopped it: another one is then started sooner than it wakes up.
    func answers(_ instance: BrowserInstance) async -> Bool {
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        let question = Task {
            answer.yield(await instance.browser.sessionCookies(of: settings.address) != nil)
        }
        defer { question.cancel() }
        return await answers.first(within: .seconds(2)) ?? false
    }

    /// The browser in front, with the start page; one is started when there is none.
    ///
    /// - Parameter source: Gives a browser that belongs to no turn yet; nil if none can be had.
    func ensureFront(
        from source: @escaping @Sendable (isolated KioskBrowsers) async -> BrowserInstance? = { await $0.next() }
    ) async -> BrowserInstance? {
        if let front { return front }
        if let coming { return await coming.value }
        guard isOpen else { return nil }
        let task = Task<BrowserInstance?, Never> {
            defer { coming = nil }
            guard let instance = await source(self) else { return nil }
            do {
                try await instance.browser.open(settings.address + "/")
                // Of one that has ended since, no event tells any more.
                guard isOpen, !instance.browser.confinement.process.isGone else { throw BrowserFault.gone }
                // A sign-in has come in front meanwhile.
                if let front {
                    leaving.append(instance)
                    return front
                }
                // batond has chosen another user meanwhile.
                guard instance.user == users.wanted || instance.user == users.next else {
                    discard(instance)
                    return nil
                }
                front = instance
                frontAfter = gate.closed
                watchStart(of: instance)
                return instance
            } catch {
                log.error("the start page was not opened", metadata: ["cause": "\(error)"])
                leaving.append(instance)
                await settle(limit: TimeLimit(.seconds(3)))
                return nil
            }
        }
        coming = task
        return await task.value
    }

    /// The next turn has another user: what stands ready for it as a former one is replaced.
    func renew(for user: TurnNumber) async {
        guard isOpen, turn == nil, !isSigningIn else { return }
        if let other = spare, other.user != user {
            spare = nil
            discard(other)
        }
        if let other = front, other.user != user {
            front = nil
            discard(other)
            await sayPage()
        }
        await open()
    }

    /// Ends a browser that showed no worker anything, beside everything else: no sign-out depends on it.
    func discard(_ instance: BrowserInstance) {
        Task {
            var pause = Duration.seconds(1)
            while let problem = await instance.browser.end(limit: TimeLimit(.seconds(3))), isOpen {
                log.error("an unused browser did not end", metadata: ["problem": "\(problem)"])
                try? await OwnTasks.sleep(for: pause)
                pause = min(pause * 2, .seconds(60))
            }
            await startPages.remove(instance)
        }
    }

    /// A browser ended by itself, or a person closed it.
    private func gone(_ instance: BrowserInstance) async {
        await startPages.remove(instance)
        let wasFront = front === instance
        let wasSpare = spare === instance
        if wasFront { front = nil }
        if wasSpare { spare = nil }
        if again === instance { again = nil }
        guard isOpen, wasFront || wasSpare else { return }
        log.warning("a browser ended by itself")
        if wasFront, isSigningIn, turn == nil { await leaveSignIn() }
        // What runs into its end at once must not keep the machine busy.
        try? await OwnTasks.sleep(for: .milliseconds(100 << min(failures, 6)))
        if wasFront {
            await sayPage()
            if front == nil { await showAgain() }
        }
        prepareSpare()
    }

    /// Puts a browser in front where there was one.
    func showAgain() async {
        let held = turn
        await keepTrying { _ in true }
        // Who has begun meanwhile sees to their own.
        if front != nil, let turn, turn == held { await attend(turn) }
    }

    /// Opens the start page, as on a free device.
    func open() async {
        let task =
            opening
            ?? Task {
                defer { opening = nil }
                await keepTrying { $0.turn == nil }
                prepareSpare()
            }
        opening = task
        await task.value
    }

    /// Starts a browser until there is one: a device without its page is one that no worker can use.
    func keepTrying(_ isWanted: (isolated KioskBrowsers) -> Bool) async {
        var pause = Duration.seconds(1)
        while isOpen, isWanted(self), await ensureFront() == nil {
            try? await OwnTasks.sleep(for: pause)
            pause = min(pause * 2, .seconds(15))
        }
    }

    // MARK: Ends

    /// Ends everything, as when the agent stops or other settings come.
    func close() async {
        isOpen = false
        _ = leave(nil)
        coming?.cancel()
        if let instance = await coming?.value { leaving.append(instance) }
        front = nil
        await spareTask?.value
        if let spare { leaving.append(spare) }
        spare = nil
        await settle(limit: TimeLimit(.seconds(3)))
    }
}
