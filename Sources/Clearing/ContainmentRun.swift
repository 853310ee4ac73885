public import LinuxSystem
public import Wiping

/// Contains one app: stops its processes, then empties its directories and looks again.
public struct ContainmentRun: Sendable {
    /// The processes of its connections; those that are gone already lead to their orphans.
    public var processes: [ProcessHandle]
    /// The directories of a listed app; nil for an unlisted one, whose data the settings do not name.
    public var wipes: [Wipe]?
    /// Processes that are never stopped, such as the supervisor.
    public var excluded: Set<Int32>
    /// Who stops them.
    public var stops: ProcessStops

    public init(
        processes: [ProcessHandle], wipes: [Wipe]?, excluded: Set<Int32> = [], stops: ProcessStops = ProcessStops()
    ) {
        self.processes = processes
        self.wipes = wipes
        self.excluded = excluded
        self.stops = stops
    }

    /// Does it, on threads of its own; cancelling the task ends it early, and then it has failed.
    public func run(limit: TimeLimit) async -> ContainmentReport {
        let stop = await stops.stop(processes, excluding: excluded, limit: limit)
        guard let wipes else { return ContainmentReport(stop: stop, wipes: nil) }
        // Wiped also when something still runs: less of the worker is left, even if the outcome is failure.
        let reports = await withTaskGroup(of: (Int, WipeReport).self) { group in
            for (position, wipe) in wipes.enumerated() {
                group.addTask { (position, await wipe.run(limit: limit)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        return ContainmentReport(stop: stop, wipes: reports)
    }
}
