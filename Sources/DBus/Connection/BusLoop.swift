import CDBus
import Glibc
import Synchronization

/// What the thread of a `BusThread` or a `TaskLoop` runs. It outlives a `BusThread` by the moment that the thread needs to
/// notice.
final class BusLoop: Sendable {
    enum Work {
        case job(UnownedJob)
        /// Of a task and no actor.
        case task(UnownedJob, any TaskExecutor)
        case action(@Sendable () -> Void)
    }

    /// Whose jobs the thread runs.
    enum Executor {
        case serial(UnownedSerialExecutor)
        case task(UnownedTaskExecutor)

        func run(_ job: UnownedJob) {
            switch self {
            case .serial(let executor): job.runSynchronously(on: executor)
            case .task(let executor): job.runSynchronously(on: executor)
            }
        }
    }

    /// What a connection waits for.
    struct Interest {
        var descriptor: Int32
        var wantsToWrite: Bool
        /// There is more to do at once.
        var isBusy: Bool
        var deadline: SuspendingClock.Instant?
    }

    private struct Source {
        weak var connection: Connection?
        var ready = false
    }

    private struct ScheduledAction {
        var due: UInt64
        var action: @Sendable () -> Void
    }

    private struct State {
        var work: [Work] = []
        var sources: [Source] = []
        var timers: [UInt64: ScheduledAction] = [:]
        var lastTimer: UInt64 = 0
        var executor: Executor?
        /// The bell needs ringing only while the thread is in `poll`, or about to be.
        var isSleeping = false
        var isStopped = false
    }

    /// What work adds is mostly the rest of the same call, and is done before the sockets are looked at again; but work that
    /// goes on and on keeps no other caller from the bus.
    private static let mostRounds = 16

    private let state = Mutex(State())
    private let thread = Atomic<UInt>(0)
    private let bell: Int32
    private let alarm: AlarmClock

    init() throws(DBusError) {
        alarm = try AlarmClock()
        bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if bell < 0 { throw .connectionFailed("no eventfd") }
    }

    deinit { close(bell) }

    var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    func setExecutor(_ executor: Executor) {
        state.withLock { $0.executor = executor }
    }

    func add(_ work: Work) {
        wake { $0.work.append(work) }
    }

    func attach(_ connection: Connection) {
        wake { $0.sources.append(Source(connection: connection)) }
    }

    func stop() {
        wake { $0.isStopped = true }
    }

    /// Does something at a time of `AlarmClock`; the number by which it can be taken back.
    func add(due: UInt64, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        var number: UInt64 = 0
        wake { state in
            state.lastTimer &+= 1
            number = state.lastTimer
            state.timers[number] = ScheduledAction(due: due, action: action)
        }
        return number
    }

    /// The thread may still wake up once for it, and finds nothing to do.
    func removeTimer(_ number: UInt64) {
        // Let go of outside the lock: what it holds may end with it.
        let removed = state.withLock { $0.timers.removeValue(forKey: number) }
        withExtendedLifetime(removed) {}
    }

    /// Waits for that long without keeping any thread.
    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        let ticket = CallTicket<Void>()
        let timer = add(due: AlarmClock.time(after: duration)) { ticket.finish(.success(())) }
        try await ticket.value({}, onCancel: { self.removeTimer(timer) })
    }

    /// Publishes the change first and rings afterwards, or a wake-up could be lost.
    private func wake(after change: (inout sending State) -> Void) {
        let mustRing = state.withLock { state in
            change(&state)
            let mustRing = state.isSleeping
            state.isSleeping = false
            return mustRing
        }
        if mustRing { eventfd_write(bell, 1) }
    }

    func start() throws(DBusError) {
        // Signals belong to the other threads: nothing here could act on one.
        var all = sigset_t()
        var previous = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        var identity = pthread_t()
        let context = Unmanaged.passRetained(self)
        let failure = pthread_create(
            &identity, nil,
            { context in
                guard let context else { return nil }
                baton_dbus_name_thread("baton-bus")
                Unmanaged<BusLoop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard failure == 0 else {
            context.release()
            throw .connectionFailed("no thread")
        }
        pthread_detach(identity)
    }

    /// Takes its turns on the calling thread until it is stopped.
    func run() {
        thread.store(pthread_self(), ordering: .relaxed)
        var descriptors: [pollfd] = []
        while true {
            var rounds = 0
            while rounds < Self.mostRounds, doWork() { rounds += 1 }
            guard let timeout = prepare(&descriptors) else { return }
            poll(&descriptors, nfds_t(descriptors.count), timeout)
            state.withLock { state in
                state.isSleeping = false
                for index in state.sources.indices where index + 2 < descriptors.count {
                    state.sources[index].ready = descriptors[index + 2].revents != 0
                }
            }
            if descriptors[0].revents != 0 {
                var rings: eventfd_t = 0
                eventfd_read(bell, &rings)
            }
            if descriptors[1].revents != 0 {
                alarm.acknowledge()
                for action in takeDue() { action() }
            }
        }
    }

    /// Does what was added up to now; false when there was nothing.
    private func doWork() -> Bool {
        let (work, executor) = state.withLock { state in
            defer { state.work = [] }
            return (state.work, state.executor)
        }
        for item in work {
            switch item {
            case .action(let action): action()
            case .job(let job): executor?.run(job)
            case .task(let job, let executor): job.runSynchronously(on: executor.asUnownedTaskExecutor())
            }
        }
        return !work.isEmpty
    }

    /// Gives each connection its turn and collects what to sleep on; nil when the thread is to end.
    private func prepare(_ descriptors: inout [pollfd]) -> Int32? {
        descriptors = [
            pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
            pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        var isBusy = false
        var deadline: SuspendingClock.Instant?
        var kept: [Source] = []
        let sources = state.withLock { state in
            defer { state.sources = [] }
            return state.sources.map { ($0.connection, $0.ready) }
        }
        for case (let connection?, let ready) in sources {
            guard let interest = connection.assumeIsolated({ $0.turn(ready: ready) }) else { continue }
            let events = interest.wantsToWrite ? POLLIN | POLLOUT : POLLIN
            descriptors.append(pollfd(fd: interest.descriptor, events: Int16(events), revents: 0))
            kept.append(Source(connection: connection))
            isBusy = isBusy || interest.isBusy
            if let other = interest.deadline { deadline = min(deadline ?? other, other) }
        }
        let (maySleep, isDone, timer) = state.withLock { state in
            // New ones were attached meanwhile: they get their turn before anything sleeps.
            let isNew = !state.sources.isEmpty
            state.sources = kept + state.sources
            state.isSleeping = state.work.isEmpty && !isNew && !isBusy && !state.isStopped
            let timer = state.timers.values.lazy.map(\.due).min()
            return (state.isSleeping, state.isStopped && state.work.isEmpty && state.sources.isEmpty, timer)
        }
        if isDone { return nil }
        // Also when there is no time to sleep: a peer that floods the bus does not stop the clock.
        if let timer { alarm.ring(by: timer) }
        guard maySleep else { return 0 }
        guard let deadline else { return -1 }
        let (seconds, attoseconds) = SuspendingClock.now.duration(to: deadline).components
        // Rounded up: waking a moment early would only mean another turn.
        let milliseconds =
            seconds.multipliedReportingOverflow(by: 1000).partialValue + attoseconds / 1_000_000_000_000_000 + 1
        return Int32(clamping: max(0, milliseconds))
    }

    /// What is due by now, the earliest first.
    private func takeDue() -> [@Sendable () -> Void] {
        state.withLock { state in
            let now = AlarmClock.now
            let due = state.timers.filter { $0.value.due <= now }.sorted {
                ($0.value.due, $0.key) < ($1.value.due, $1.key)
            }
            for timer in due { state.timers[timer.key] = nil }
            return due.map(\.value.action)
        }
    }
}
