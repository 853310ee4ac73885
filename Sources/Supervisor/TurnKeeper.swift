import Glibc
import LinuxSystem
package import Logging
package import SessionMachine
package import TurnControl

/// Chooses the Unix users of turns and ends their slices: the kernel's part of what the machine decides.
///
/// Each look and each end has a thread of its own, since files of a hanging kernel let wait.
package struct TurnKeeper: Sendable {
    /// The users that this machine has, in the order in which they come round.
    package let users: [TurnUser]
    private let pool: TurnPool
    let hierarchy: String
    private let places: TurnResidue.Places
    private let log: Logger

    /// Nil: this machine has no turn users.
    ///
    /// - Parameters:
    ///   - uids: The numbers of the turn users that the machine has.
    ///   - hierarchy: Where control groups, version 2, are mounted.
    package init?(
        uids: [TurnNumber: UInt32], hierarchy: String = TurnSlice.hierarchy, places: TurnResidue.Places = .init(),
        log: Logger
    ) {
        let numbers = uids.keys.sorted()
        users = numbers.compactMap { number in
            uids[number].map { TurnUser(number: UInt8(clamping: number.index), uid: $0) }
        }
        guard !users.isEmpty else { return nil }
        pool = TurnPool(numbers)
        self.hierarchy = hierarchy
        self.places = places
        self.log = log
    }

    /// Those that `make install` made and whose sockets are enabled; nil: there are none.
    package static func detect(sockets: String = TurnStarter.folder, log: Logger) async -> TurnKeeper? {
        let found = await OwnThread.runAlways {
            TurnNumber.all.reduce(into: [TurnNumber: UInt32]()) { found, number in
                guard access("\(sockets)/\(number)", F_OK) == 0 else { return }
                found[number] = UserAccount(named: number.user)?.id
            }
        }
        return TurnKeeper(uids: found, log: log)
    }

    /// Chooses the next user that has left nothing, and ends first all that runs as any of the others; nil if no user is clean.
    ///
    /// - Parameter current: Whose turn goes on: that one is left alone, and not chosen.
    func choose(after last: TurnUser?, beside current: TurnUser? = nil) async -> TurnUser? {
        // What runs as any but that one is left, or came in by another way.
        await endAll(except: [current].compactMap(\.self))
        let choice = await OwnThread.run { [self] in
            pool.next(after: last.flatMap(number), except: current.flatMap(number)) { residue(of: $0) }
        }
        for (number, left) in (choice?.outOfService ?? [:]).sorted(by: { $0.key < $1.key }) {
            log.error(
                "a turn user is out of service",
                metadata: ["user": "\(number.user)", "left": "\(left.map(\.text).joined(separator: "; "))"])
        }
        return choice?.number.flatMap(user)
    }

    private func number(_ user: TurnUser) -> TurnNumber? { TurnNumber(Int(user.number)) }

    private func user(_ number: TurnNumber) -> TurnUser? { users.first { Int($0.number) == number.index } }

    private func residue(of number: TurnNumber) -> [TurnResidue] {
        guard let user = user(number) else {
            return [.unknown(what: "\(number.user): no such user")]
        }
        switch Self.end(number, in: hierarchy, limit: TimeLimit(.seconds(2))) {
        // The look at the processes says which.
        case .empty, .populated: break
        case .unknown(let why): return [.unknown(what: why)]
        }
        let left = lasting(user, number)
        guard left.isEmpty else { return left }
        do {
            try TurnSlice(number, hierarchy: hierarchy).freeze(false)
        } catch {
            return [.unknown(what: error.reason)]
        }
        return []
    }

    /// The kernel collects the keyrings of processes that have ended a little later, and tells of that in no way.
    private func lasting(_ user: TurnUser, _ number: TurnNumber) -> [TurnResidue] {
        let limit = TimeLimit(.seconds(2))
        while true {
            let left = TurnResidue.look(for: user.uid, named: number.user, in: places)
            let mayPass = left.allSatisfy { if case .keys = $0 { true } else { false } }
            guard !left.isEmpty, mayPass, !limit.isOver else { return left }
            _ = poll(nil, 0, 20)
        }
    }

    /// Ends all that runs as that user, and says what the kernel says of it.
    ///
    /// - Parameter hierarchy: Where control groups, version 2, are mounted. The sockets of the turns may have been disabled since.
    static func end(_ user: TurnUser, in hierarchy: String, limit: Duration) async -> TurnEnd {
        guard let number = TurnNumber(Int(user.number)) else { return .unknown("there is no turn user \(user.number)") }
        let limit = TimeLimit(limit)
        return await OwnThread.run(limit: limit) { end(number, in: hierarchy, limit: limit) }
            ?? .unknown("the kernel was not heard in time")
    }

    private static func end(_ number: TurnNumber, in hierarchy: String, limit: TimeLimit) -> TurnEnd {
        let slice = TurnSlice(number, hierarchy: hierarchy)
        while true {
            do {
                try slice.kill()
                guard case .empty = slice.waitUntilEmpty(limit: limit) else { break }
                // What PID 1 was asked to start before, and starts only now, stands still until the next kill.
                try slice.freeze(true)
            } catch {
                return .unknown(error.reason)
            }
            guard case .populated = slice.population(), !limit.isOver else { break }
        }
        switch slice.population() {
        case .empty: return .empty
        case .populated: return .populated
        case .unknown(let reason): return .unknown(reason)
        }
    }

    /// Ends what runs as any other turn user.
    func endAll(except kept: [TurnUser]) async {
        let others = users.filter { !kept.contains($0) }.compactMap { TurnNumber(Int($0.number)) }
        _ = await OwnThread.run { [hierarchy] in
            for number in others { try? TurnSlice(number, hierarchy: hierarchy).kill() }
        }
    }
}
