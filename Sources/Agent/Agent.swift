public import Clearing
public import LinuxSystem
public import Logging
import Processes
public import Vocabulary
public import Wiping

/// Acts for the supervisor inside the session: watches apps' processes and contains apps.
///
/// It outlives the supervisor's restarts: what it watches stays pinned, and ends that no supervisor was there to
/// hear are told after it has registered again.
public actor Agent {
    private let link: any SupervisorLink
    private let watch: ProcessWatch
    private let expectedUser: UInt32
    private let logger: Logger
    private let stops: ProcessStops
    /// Between attempts to register while the supervisor refuses.
    private let retry: Duration

    /// Who owns the supervisor's name, as far as it is the expected user.
    private var supervisor: (connection: String, pid: UInt32)?
    /// The owner whose change is being handled; another one makes it void.
    private var current: String?
    private var isRegistered = false
    /// The journal of the supervisor that this agent works for.
    private var journal: String?
    private var outlived = false
    private let end = AsyncStream<Void>.makeStream()
    private var watched = WatchedProcesses()
    private var untold: [Instance] = []
    private var isTelling = false

    /// - Parameters:
    ///   - expectedUser: The uid that the supervisor must have.
    ///   - notes: Where it stands which processes are being stopped, for an agent after this one.
    public init(
        link: any SupervisorLink, watch: ProcessWatch, expectedUser: UInt32, logger: Logger,
        notes: StopNotes? = nil, retry: Duration = .seconds(1)
    ) {
        self.link = link
        self.watch = watch
        self.expectedUser = expectedUser
        self.logger = logger
        stops = ProcessStops(notes: notes)
        self.retry = retry
    }

    /// Tells ends as they come, until cancelled. Once.
    public func run() async {
        for await number in watch.exits {
            untold += watched.end(number)
            await tell()
        }
    }

    /// Only the supervisor itself may ask for anything.
    public func isSupervisor(_ connection: String) -> Bool {
        supervisor?.connection == connection
    }

    /// Waits until the supervisor has another journal than this agent has worked for, or until cancelled. Once.
    ///
    /// That one knows nothing of what runs here: not the turn whose browser and apps may still be open, and its numbers
    /// of registrations mean other processes. So this agent has to end, with all that it has started.
    public func untilOutlived() async {
        for await _ in end.stream { return }
    }

    /// Whether this agent may work for a supervisor with this journal.
    private func mayServe(_ current: SupervisorJournal) -> Bool {
        if let journal, journal != current.id, journal != current.before {
            logger.warning("The supervisor has another journal now; this agent ends, and another one takes its place")
            supervisor = nil
            outlived = true
            end.continuation.yield()
        } else if !current.id.isEmpty {
            // A supervisor that cannot read its journal has none, and what this agent has hold of is that journal's.
            journal = current.id
        }
        return !outlived
    }

    /// The supervisor's name has another owner, or none: checks who it is and registers.
    ///
    /// Returns when registered, or when a later change makes this one void. Cancelling ends the attempts.
    public func supervisorChanged(to connection: String?) async {
        // An older change may come to its turn after a newer one, which has cancelled it.
        if Task.isCancelled || outlived { return }
        supervisor = nil
        isRegistered = false
        current = connection
        guard let connection else {
            logger.notice("The supervisor left the bus")
            return
        }
        guard let credentials = try? await link.credentials(of: connection), current == connection else { return }
        guard credentials.user == expectedUser else {
            logger.error(
                "The supervisor's name is owned by the wrong user",
                metadata: ["user": "\(credentials.user)", "expected": "\(expectedUser)"])
            return
        }
        supervisor = (connection, credentials.pid)
        var told = ""
        while current == connection && !Task.isCancelled {
            do {
                // Asked before as well: an agent that has registered is asked for things at once.
                guard mayServe(try await link.journal()), current == connection, !Task.isCancelled else { return }
                let journal = try await link.register(watching: watched.livingInstances)
                guard current == connection, mayServe(journal) else { return }
                isRegistered = true
                logger.notice("Registered with the supervisor")
                await tell()
                return
            } catch {
                // The same for hours, where the bus lets nothing through.
                if told != "\(error)" {
                    told = "\(error)"
                    logger.warning("The supervisor did not take the registration; it is asked again", error: error)
                }
                try? await OwnTasks.sleep(for: retry)
            }
        }
    }

    /// The supervisor's own process, which must not be taken for a stray.
    public var supervisorProcess: Int32? { supervisor.flatMap { Int32(exactly: $0.pid) } }

    /// The processes of the apps that take part, as far as they live.
    public var participatingProcesses: Set<Int32> { watched.living }

    /// The processes of these registrations, as far as they live.
    public func processes(of instances: [Instance]) -> Set<Int32> {
        Set(instances.compactMap { watched[$0] }.filter { !$0.isGone }.map(\.pid))
    }

    /// Pins the process of a registration; false when it cannot be shown to be the connection's.
    public func watchProcess(instance: Instance, connection: String, pid: UInt32) async -> Bool {
        if let held = watched[instance] {
            // The supervisor was away and may not have heard.
            if held.isGone && !untold.contains(instance) {
                untold.append(instance)
                await tell()
            }
            return true
        }
        if watched.isFull {
            logger.error("Too many registrations are watched")
            return false
        }
        guard let number = Int32(exactly: pid), let process = ProcessHandle(pid: number) else { return false }
        // Asked after pinning: the connection is still there, so the pinned process is its own and not a later
        // one of the same pid.
        guard let credentials = try? await link.credentials(of: connection), credentials.pid == pid else {
            return false
        }
        if watched[instance] != nil || watched.join(instance, to: process) { return true }
        let watchNumber = watched.add(instance, process)
        if !watch.add(process, as: watchNumber) {
            watched.drop(watchNumber)
            logger.error("No process can be watched: the system has no descriptors left")
            return false
        }
        return true
    }

    /// Stops the processes of these registrations and their descendants, then empties the directories of a
    /// listed app; `wipes` is nil for an unlisted one.
    public func contain(instances: [Instance], wipes: [Wipe]?, limit: TimeLimit) async -> ContainmentReport {
        let unknown = instances.filter { watched[$0] == nil && !watched.isPast($0) }
        let containment = ContainmentRun(
            processes: instances.compactMap { watched[$0] }, wipes: wipes,
            excluded: Set([supervisor?.pid].compactMap { $0.flatMap { Int32(exactly: $0) } }), stops: stops)
        var report = await containment.run(limit: limit)
        if !unknown.isEmpty {
            // Never pinned: whatever runs of it was not looked for.
            report.outcome = .failed
            report.explanation = [
                report.explanation,
                "not watched: registration \(unknown.prefix(8).map(String.init).joined(separator: ", "))",
            ]
            .filter { !$0.isEmpty }.joined(separator: "; ")
        }
        return report
    }

    private func tell() async {
        if isTelling { return }
        isTelling = true
        defer { isTelling = false }
        while isRegistered, let instance = untold.first {
            do {
                try await link.processExited(instance)
                untold.removeAll { $0 == instance }
            } catch {
                // Told again after the next registration.
                logger.warning("The supervisor did not hear of a process's end", error: error)
                return
            }
        }
    }
}
