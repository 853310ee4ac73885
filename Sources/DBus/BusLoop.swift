import CDBus
import Glibc
import Synchronization

/// What the bus thread runs. It outlives its `BusThread` by the moment that the thread needs to notice.
final class BusLoop: Sendable {
    enum Work {
        case job(UnownedJob)
        case action(@Sendable () -> Void)
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

    private struct State {
        var work: [Work] = []
        var sources: [Source] = []
        var executor: UnownedSerialExecutor?
        /// The bell needs ringing only while the thread is in `poll`, or about to be.
        var isSleeping = false
        var isStopped = false
    }

    private let state = Mutex(State())
    private let thread = Atomic<UInt>(0)
    private let bell: Int32

    init() throws(DBusError) {
        bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if bell < 0 { throw .connectionFailed("no eventfd") }
    }

    deinit { close(bell) }

    var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    func setExecutor(_ executor: UnownedSerialExecutor) {
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
                Unmanaged<BusLoop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard failure == 0 else {
            context.release()
            throw .connectionFailed("no thread")
        }
        pthread_detach(identity)
    }

    private func run() {
        thread.store(pthread_self(), ordering: .relaxed)
        var descriptors: [pollfd] = []
        while true {
            let (work, executor) = state.withLock { state in
                defer { state.work = [] }
                return (state.work, state.executor)
            }
            for item in work {
                switch item {
                case .action(let action): action()
                case .job(let job): if let executor { job.runSynchronously(on: executor) }
                }
            }
            guard let timeout = prepare(&descriptors) else { return }
            poll(&descriptors, nfds_t(descriptors.count), timeout)
            state.withLock { state in
                state.isSleeping = false
                for index in state.sources.indices where index + 1 < descriptors.count {
                    state.sources[index].ready = descriptors[index + 1].revents != 0
                }
            }
            if descriptors[0].revents != 0 {
                var rings: eventfd_t = 0
                eventfd_read(bell, &rings)
            }
        }
    }

    /// Gives each connection its turn and collects what to sleep on; nil when the thread is to end.
    private func prepare(_ descriptors: inout [pollfd]) -> Int32? {
        descriptors = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
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
        let (maySleep, isDone) = state.withLock { state in
            // New ones were attached meanwhile: they get their turn before anything sleeps.
            let isNew = !state.sources.isEmpty
            state.sources = kept + state.sources
            state.isSleeping = state.work.isEmpty && !isNew && !isBusy && !state.isStopped
            return (state.isSleeping, state.isStopped && state.work.isEmpty && state.sources.isEmpty)
        }
        if isDone { return nil }
        guard maySleep else { return 0 }
        guard let deadline else { return -1 }
        let (seconds, attoseconds) = SuspendingClock.now.duration(to: deadline).components
        // Rounded up: waking a moment early would only mean another turn.
        let milliseconds =
            seconds.multipliedReportingOverflow(by: 1000).partialValue + attoseconds / 1_000_000_000_000_000 + 1
        return Int32(clamping: max(0, milliseconds))
    }
}
