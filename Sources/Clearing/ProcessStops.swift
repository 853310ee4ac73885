public import LinuxSystem

/// Stops the processes of apps, and of many in one go where many are to be stopped at a time: each stop looks at all processes
/// of the machine again and again until nothing changes, so that hundreds beside each other would not come to their end.
public actor ProcessStops {
    private struct Request {
        var roots: [ProcessHandle]
        var excluded: Set<Int32>
        var limit: TimeLimit
        var answer: CheckedContinuation<StopReport, Never>
    }

    /// More than one, so that no other app waits for one that does not want to end.
    private static let most = 4

    private let notes: StopNotes?
    private var waiting: [Request] = []
    private var running = 0

    /// - Parameter notes: Where it stands which processes are being stopped.
    public init(notes: StopNotes? = nil) { self.notes = notes }

    /// - Parameters:
    ///   - roots: Whose descendants are stopped with them; some may be gone already.
    ///   - excluded: Processes that are never stopped.
    func stop(_ roots: [ProcessHandle], excluding excluded: Set<Int32>, limit: TimeLimit) async -> StopReport {
        await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                waiting.append(Request(roots: roots, excluded: excluded, limit: limit, answer: answer))
                next()
            }
        } onCancel: {
            limit.cancel()
        }
    }

    private func next() {
        guard running < Self.most, !waiting.isEmpty else { return }
        running += 1
        let batch = waiting
        waiting = []
        Task {
            await run(batch)
            running -= 1
            next()
        }
    }

    private func run(_ batch: [Request]) async {
        // A single one may be cancelled; of several the first that must be done sets the time.
        guard let first = batch.min(by: { $0.limit.deadline < $1.limit.deadline }) else { return }
        let limit = batch.count == 1 ? first.limit : TimeLimit(deadline: first.limit.deadline)
        let (cases, places) = Self.cases(of: batch)
        let excluded = batch.reduce(into: Set<Int32>()) { $0.formUnion($1.excluded) }
        let reports = await OwnThread.run(limit: limit) { [notes] in
            ProcessTree.stop(cases, excluding: excluded, notes: notes, limit: limit)
        }
        for (request, place) in zip(batch, places) {
            let report = reports.flatMap { $0.indices.contains(place) ? $0[place] : nil }
            request.answer.resume(
                returning: report
                    ?? StopReport(ended: 0, unproven: [], fault: "the processes could not be stopped in time"))
        }
    }

    /// Apps that share a process are one case.
    private static func cases(of batch: [Request]) -> (cases: [[ProcessHandle]], places: [Int]) {
        var cases: [[ProcessHandle]] = []
        var owners: [Int32: Int] = [:]
        var places: [Int] = []
        for request in batch {
            let shared = Set(request.roots.compactMap { owners[$0.pid] }).sorted()
            let place = shared.first ?? cases.count
            if place == cases.count { cases.append([]) }
            cases[place] += request.roots
            for other in shared.dropFirst() {
                cases[place] += cases[other]
                cases[other] = []
                for (pid, owner) in owners where owner == other { owners[pid] = place }
                places = places.map { $0 == other ? place : $0 }
            }
            for root in request.roots { owners[root.pid] = place }
            places.append(place)
        }
        return (cases, places)
    }
}
