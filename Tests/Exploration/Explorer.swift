import SessionMachine
import Synchronization

/// Walks through every state that a world can reach, and looks at each.
///
/// The nearest states come first, so that the way to a mistake is short; the rest is walked in depth on two threads,
/// since only the states that wait for their turn are kept whole: of the others a hash remains.
public struct Explorer: Sendable {
    public struct Result: Sendable {
        public var states = 0
        public var transitions = 0
        public var violation: String?
        /// The way to the violation, one line a step.
        public var path: [String] = []
        public var isComplete = true
    }

    /// A state that is still to be looked at, and the way to it.
    private final class Node: Sendable {
        let world: World
        let step: Step

        init(_ world: World, _ step: Step) {
            self.world = world
            self.step = step
        }
    }

    private final class Step: Sendable {
        let parent: Step?
        let action: Action
        let killAfter: Int?

        init(_ parent: Step?, _ action: Action, _ killAfter: Int?) {
            self.parent = parent
            self.action = action
            self.killAfter = killAfter
        }
    }

    /// What the two threads share.
    private final class Board: Sendable {
        struct Queue {
            var nodes: [Node] = []
            var idle = 0
            var result = Result()
            var bad: Step?
        }

        /// Locked in parts, so that the threads seldom meet.
        final class Shard: Sendable { let seen = Mutex<Set<Fingerprint>>([]) }

        let shards = (0..<64).map { _ in Shard() }
        let queue = Mutex(Queue())
        let stop = Atomic(false)
        let hungry = Atomic(false)
        let states = Atomic(0)

        func insert(_ key: Fingerprint) -> Bool {
            let shard = shards[Int(truncatingIfNeeded: key.high >> 58)]
            let isNew = shard.seen.withLock { $0.insert(key).inserted }
            if isNew { states.wrappingAdd(1, ordering: .relaxed) }
            return isNew
        }
    }

    private let configuration: Configuration
    private static let threads = 2

    public init(_ configuration: Configuration) { self.configuration = configuration }

    /// - Parameter hasTime: asked now and then with the number of states so far.
    public func run(_ hasTime: @escaping @Sendable (Int) -> Bool = { _ in true }) async -> Result {
        let board = Board()
        var result = walkNearest(board, limit: 50_000)
        guard result.violation == nil, board.queue.withLock({ !$0.nodes.isEmpty }) else { return result }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.threads { group.addTask { @concurrent in self.walk(board, hasTime) } }
        }
        let deep = board.queue.withLock { $0 }
        result.transitions += deep.result.transitions
        result.states = board.states.load(ordering: .relaxed)
        result.isComplete = deep.nodes.isEmpty && deep.result.isComplete
        result.violation = deep.result.violation
        if deep.result.violation != nil {
            // A shorter way is easier to read, where it can be had.
            let near = walkNearest(Board(), limit: 600_000)
            if near.violation != nil { return near }
            result.path = path(deep.bad)
        }
        return result
    }

    /// Looks for a seeded mistake in ever larger worlds; the result is that of the first in which it shows, or of the last.
    public static func find(_ fault: Fault) async -> Result {
        var result = Result()
        if let configuration = Configuration.only(for: fault) {
            return await Explorer(configuration).run { $0 < 1_000_000 }
        }
        let sizes = [(1, 1, 0, 1), (1, 2, 0, 1), (1, 1, 0, 2), (1, 2, 1, 1), (2, 1, 1, 1), (2, 2, 1, 1)]
        for (participants, epochs, crashes, faults) in sizes {
            var configuration = Configuration(
                participants: participants, epochs: epochs, crashes: crashes, faults: faults, restarts: 1)
            configuration.fault = fault
            let explorer = Explorer(configuration)
            let tried = await explorer.run { $0 < 1_000_000 }
            result.states += tried.states
            result.violation = tried.violation
            result.path = tried.path
            if tried.violation != nil { break }
        }
        return result
    }

    /// Everything that can come next: `visit` is told of each and answers whether to go on.
    private func expand(_ node: World, _ visit: (_ after: consuming World, Action, Int?) -> Bool) -> Bool {
        for action in node.actions(configuration) {
            let after = node.after(action)
            let outward = after.outward
            let isCrash = if case .crash = action { true } else { false }
            // Only a kill makes it worth the time to compare two ledgers.
            let canBeKilled = node.crashes > 0 && !isCrash
            let changes = canBeKilled && (outward > 0 || after.machine.ledger != node.machine.ledger)
            guard visit(after, action, nil) else { return false }
            // The same again, with the supervisor killed between its effects.
            guard changes else { continue }
            for killAfter in 0...outward {
                guard visit(node.after(action, killAfter: killAfter), action, killAfter) else { return false }
            }
        }
        return true
    }

    private func walkNearest(_ board: Board, limit: Int) -> Result {
        var result = Result()
        let first = World(configuration)
        _ = board.insert(first.key)
        var frontier = [Node(first, Step(nil, .tick, nil))]
        var bad: Step?
        while !frontier.isEmpty, bad == nil, board.states.load(ordering: .relaxed) < limit {
            var next: [Node] = []
            for node in frontier {
                let goesOn = expand(node.world) { after, action, killAfter in
                    result.transitions += 1
                    guard let found = look(at: after, action, board) else { return true }
                    let step = Step(node.step, action, killAfter)
                    if let violation = found.violation {
                        result.violation = violation
                        bad = step
                        return false
                    }
                    next.append(Node(found, step))
                    return true
                }
                if !goesOn { break }
            }
            frontier = next
        }
        result.states = board.states.load(ordering: .relaxed)
        result.path = path(bad)
        board.queue.withLock { $0.nodes = frontier }
        return result
    }

    /// The world when it is new or bad.
    private func look(at world: consuming World, _ action: Action, _ board: Board) -> World? {
        var world = world
        let isNew = world.violation != nil || board.insert(world.key)
        // A call that waits for the receipt is no part of the state, so its answer is looked at each time.
        if isNew || action == .signOut { world.checkEnd() }
        return isNew || world.violation != nil ? world : nil
    }

    private func walk(_ board: Board, _ hasTime: @Sendable (Int) -> Bool) {
        var stack: [Node] = []
        var transitions = 0
        var turns = 0
        while !board.stop.load(ordering: .relaxed) {
            guard let node = stack.popLast() else {
                guard fetch(&stack, board) else { break }
                continue
            }
            turns += 1
            if turns % 4096 == 0, !hasTime(board.states.load(ordering: .relaxed)) {
                board.stop.store(true, ordering: .relaxed)
                board.queue.withLock { $0.result.isComplete = false }
            }
            _ = expand(node.world) { after, action, killAfter in
                transitions += 1
                guard let found = look(at: after, action, board) else { return true }
                let step = Step(node.step, action, killAfter)
                guard let violation = found.violation else {
                    stack.append(Node(found, step))
                    return true
                }
                board.queue.withLock {
                    $0.result.violation = violation
                    $0.bad = step
                }
                board.stop.store(true, ordering: .relaxed)
                return false
            }
            if board.hungry.load(ordering: .relaxed), stack.count > 8 {
                let half = stack.count / 2
                let given = stack.prefix(half)
                board.queue.withLock { $0.nodes += given }
                stack.removeFirst(half)
                board.hungry.store(false, ordering: .relaxed)
            }
        }
        board.queue.withLock { $0.result.transitions += transitions }
    }

    /// Takes some of what nobody works on yet; false when all is done.
    private func fetch(_ stack: inout [Node], _ board: Board) -> Bool {
        board.queue.withLock { $0.idle += 1 }
        while !board.stop.load(ordering: .relaxed) {
            let taken: [Node]? = board.queue.withLock { queue in
                if queue.nodes.isEmpty { return queue.idle == Self.threads ? nil : [] }
                queue.idle -= 1
                let count = min(queue.nodes.count, 16)
                let taken = Array(queue.nodes.suffix(count))
                queue.nodes.removeLast(count)
                return taken
            }
            guard let taken else {
                board.stop.store(true, ordering: .relaxed)
                return false
            }
            if !taken.isEmpty {
                stack = taken
                return true
            }
            board.hungry.store(true, ordering: .relaxed)
        }
        return false
    }

    private func path(_ last: Step?) -> [String] {
        var steps: [Step] = []
        var step = last
        while let current = step, current.parent != nil {
            steps.append(current)
            step = current.parent
        }
        var world = World(configuration)
        return steps.reversed().map { step in
            world = world.after(step.action, killAfter: step.killAfter)
            let killed = step.killAfter.map { "; the supervisor is killed after \($0) of its effects" } ?? ""
            return "\(step.action)\(killed)  -> \(world.summary)"
        }
    }
}
