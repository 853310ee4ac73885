internal import BatonContract
internal import Checkpoints
internal import Logging
internal import Vocabulary
import Wiping

/// The browsers of this session: the one in front, one that stands by, and one for a holder who proves themselves again.
///
/// A browser that held anything of a worker is never used again. It is `leaving` until its end is proven, and every sign-out
/// asks for that proof anew.
actor Browsers {
    let maker: any BrowserMaker
    let settings: AgentConfiguration.Browser
    private let setup: BrowserSetup

    /// What happens outside.
    struct Outside: Sendable {
        /// The provider's session in the browser has ended: the cookie is gone.
        var sessionEnded: @Sendable (Epoch) async -> Void
        /// Nobody is at the sign-in in the browser any more: it is to be cancelled.
        var signInLeft: @Sendable () async -> Void = {}
        /// Whether a free device shows its start page has changed.
        var startPage: @Sendable (Bool) async -> Void = { _ in }
        /// How long ago somebody touched keyboard or pointer; nil: this session does not say.
        var idle: @Sendable () async -> Duration? = { nil }
    }

    let desk: StartPageDesk
    let log: Logger
    let outside: Outside

    var front: Seat?
    /// Being started to stand in front.
    private var coming: Task<Seat?, Never>?
    private var spare: Seat?
    private var spareTask: Task<Void, Never>?
    var again: Seat?
    var leaving: [Seat] = []
    var turn: Turn?
    let gate: TurnGate
    /// A page of the provider is or was open in the front browser.
    var isSigningIn = false
    private(set) var isOpen = true
    private var failures = 0
    var poll: Task<Void, Never>?
    var signInWatch: Task<Void, Never>?
    /// What was said last.
    var isShownSaid: Bool?
    private var opening: Task<Void, Never>?
    /// How many times a sign-in ended: one whose browser was still coming then must not open its page any more.
    var signInEnds: UInt64 = 0

    init(
        maker: any BrowserMaker, settings: AgentConfiguration.Browser, setup: BrowserSetup, desk: StartPageDesk,
        gate: TurnGate, log: Logger, outside: Outside
    ) {
        self.maker = maker
        self.settings = settings
        self.setup = setup
        self.desk = desk
        self.gate = gate
        self.log = log
        self.outside = outside
    }

    // MARK: Starting

    private func start() async -> Seat? {
        do {
            let seat = Seat(try await maker.start(setup, pages: desk))
            await desk.add(seat)
            Task { [weak self] in
                await seat.browser.confinement.untilGone()
                await self?.gone(seat)
            }
            failures = 0
            return seat
        } catch {
            failures += 1
            log.error("a browser was not started", metadata: ["cause": "\(error)"])
            return nil
        }
    }

    func next() async -> Seat? {
        // One that is being started is sooner there than another, unless somebody has stopped it.
        if spare == nil, let spareTask {
            let (ready, tell) = AsyncStream.makeStream(of: Void.self)
            Task {
                await spareTask.value
                tell.yield()
            }
            _ = await ready.first(within: .seconds(4))
        }
        if let ready = spare {
            spare = nil
            if await answers(ready) { return ready }
            log.warning("the browser that stood by does not answer")
            discard(ready)
        }
        return await start()
    }

    /// Somebody may have stopped it: another one is then started sooner than it wakes up.
    func answers(_ seat: Seat) async -> Bool {
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        let question = Task {
            answer.yield(await seat.browser.sessionCookies(of: settings.address) != nil)
        }
        defer { question.cancel() }
        return await answers.first(within: .seconds(2)) ?? false
    }

    /// The browser in front, with the start page; one is started when there is none.
    func ensureFront() async -> Seat? {
        if let front { return front }
        if let coming { return await coming.value }
        guard isOpen else { return nil }
        let task = Task<Seat?, Never> {
            defer { coming = nil }
            guard let seat = await next() else { return nil }
            do {
                try await seat.browser.open(settings.address + "/")
                // Of one that has ended since, nobody tells any more.
                guard isOpen, !seat.browser.confinement.process.isGone else { throw BrowserFault.gone }
                // A sign-in has come in front meanwhile.
                if let front {
                    leaving.append(seat)
                    return front
                }
                front = seat
                watchStart(of: seat)
                return seat
            } catch {
                log.error("the start page was not opened", metadata: ["cause": "\(error)"])
                leaving.append(seat)
                await settle(limit: TimeLimit(.seconds(3)))
                return nil
            }
        }
        coming = task
        return await task.value
    }

    /// Starts the one that stands by, where the kind can.
    func prepareSpare() {
        guard isOpen, settings.hasSpare, maker.canWait, spare == nil, spareTask == nil else { return }
        spareTask = Task {
            let seat = await start()
            spareTask = nil
            guard let seat else { return }
            guard isOpen else { return leaving.append(seat) }
            spare = seat
            watchSpare(seat)
        }
    }

    /// One that somebody has stopped would only be found when it is needed.
    private func watchSpare(_ seat: Seat) {
        Task { [weak self] in
            while (try? await Task.sleep(for: .seconds(15))) != nil, await self?.isFine(spare: seat) == true {}
        }
    }

    private func isFine(spare seat: Seat) async -> Bool {
        guard spare === seat else { return false }
        if await answers(seat) { return true }
        guard spare === seat else { return false }
        log.warning("the browser that stood by does not answer")
        spare = nil
        discard(seat)
        prepareSpare()
        return false
    }

    /// Ends a browser that showed nobody anything, beside everything else: no sign-out depends on it.
    func discard(_ seat: Seat) {
        Task {
            var pause = Duration.seconds(1)
            while let problem = await seat.browser.end(limit: TimeLimit(.seconds(3))), isOpen {
                log.error("a browser that nobody used did not end", metadata: ["problem": "\(problem)"])
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(60))
            }
            await desk.remove(seat)
        }
    }

    /// A browser ended by itself, or a person closed it.
    private func gone(_ seat: Seat) async {
        await desk.remove(seat)
        let wasFront = front === seat
        let wasSpare = spare === seat
        if wasFront { front = nil }
        if wasSpare { spare = nil }
        if again === seat { again = nil }
        guard isOpen, wasFront || wasSpare else { return }
        log.warning("a browser ended by itself")
        if wasFront, isSigningIn, turn == nil { await leaveSignIn() }
        // What runs into its end at once must not keep the machine busy.
        try? await Task.sleep(for: .milliseconds(100 << min(failures, 6)))
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

    /// Starts a browser until there is one: a device without its page is one that nobody can use.
    func keepTrying(_ isWanted: (isolated Browsers) -> Bool) async {
        var pause = Duration.seconds(1)
        while isOpen, isWanted(self), await ensureFront() == nil {
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(15))
        }
    }

    // MARK: Ends

    /// Takes every browser that has seen a worker out of use.
    ///
    /// - Returns: The one that was in front.
    func leave() -> Seat? {
        poll?.cancel()
        signInWatch?.cancel()
        turn = nil
        isSigningIn = false
        signInEnds &+= 1
        let old = front
        leaving += [front, again].compactMap(\.self)
        front = nil
        again = nil
        // One that was about to come belongs to nobody yet.
        return old
    }

    /// Ends all that is leaving; what could not be proven stays for the next time.
    @discardableResult
    func settle(limit: TimeLimit) async -> [String] {
        await withTaskGroup(of: (Seat, String?).self) { group in
            for seat in leaving {
                group.addTask {
                    checkpoint("browser: before it is ended")
                    defer { checkpoint("browser: after it was ended") }
                    return (seat, await seat.browser.end(limit: limit))
                }
            }
            var problems: [String] = []
            for await (seat, problem) in group {
                if let problem {
                    problems.append(problem)
                } else {
                    leaving.removeAll { $0 === seat }
                    await desk.remove(seat)
                }
            }
            return problems
        }
    }

    /// Ends everything, as when the agent stops or other settings come.
    func close() async {
        isOpen = false
        _ = leave()
        coming?.cancel()
        if let seat = await coming?.value { leaving.append(seat) }
        front = nil
        await spareTask?.value
        if let spare { leaving.append(spare) }
        spare = nil
        await settle(limit: TimeLimit(.seconds(3)))
    }
}
