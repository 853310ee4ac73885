import FolderTesting
import Glibc
import Logging
import SessionMachine
import Testing
import TurnControl

@testable import Supervisor

/// With folders in place of control groups and /proc, which say what the test says.
@Suite(.timeLimit(.minutes(1))) struct TurnKeeperTests {
    private let folder: TemporaryFolder
    private let keeper: TurnKeeper

    init() throws {
        folder = try TemporaryFolder("turns")
        var places = TurnResidue.Places()
        places.proc = folder.path + "/proc"
        places.linger = folder.path + "/linger"
        for path in ["proc", "proc/sysvipc", "linger"] { mkdir("\(folder.path)/\(path)", 0o700) }
        let uids = Dictionary(uniqueKeysWithValues: TurnNumber.all.prefix(3).map { ($0, 61000 + UInt32($0.index)) })
        keeper = try #require(
            TurnKeeper(
                uids: uids, hierarchy: folder.path, places: places,
                log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
    }

    /// A slice that is there, with a process or without.
    private func slice(_ number: Int, isPopulated: Bool) throws {
        let group = "baton.slice/baton-turn.slice/baton-turn-\(number).slice"
        var path = folder.path
        for part in group.split(separator: "/") {
            path += "/\(part)"
            mkdir(path, 0o700)
        }
        for file in ["cgroup.kill", "cgroup.freeze"] { _ = try folder.write("", to: "\(group)/\(file)") }
        _ = try folder.write("populated \(isPopulated ? 1 : 0)\nfrozen 0\n", to: "\(group)/cgroup.events")
    }

    private func written(_ number: Int, _ file: String) throws -> String {
        try #require(folder.text(of: "baton.slice/baton-turn.slice/baton-turn-\(number).slice/\(file)"))
    }

    @Test func `the users come round one after the other`() async throws {
        var last: TurnUser?
        var numbers: [UInt8] = []
        for _ in 0..<4 {
            last = await keeper.choose(after: last)
            numbers.append(try #require(last).number)
        }
        #expect(numbers == [0, 1, 2, 0])
        #expect(last?.uid == 61000)
    }

    @Test func `one of whom something is left is passed over`() async throws {
        _ = try folder.write("", to: "linger/baton-turn-0")
        #expect(await keeper.choose(after: nil)?.number == 1)
        _ = try folder.write("", to: "linger/baton-turn-1")
        _ = try folder.write("", to: "linger/baton-turn-2")
        #expect(await keeper.choose(after: nil) == nil)
    }

    @Test func `keys that the kernel has not collected yet are waited for, and others are not`() async throws {
        func keys(_ count: Int) -> String { "61000:     2 \(count)/\(count) 2/200 48/20000\n" }
        _ = try folder.write(keys(3), to: "proc/key-users")
        async let choice = keeper.choose(after: nil)
        _ = try folder.write(keys(2), to: "proc/key-users")
        #expect(await choice?.number == 0)
        _ = try folder.write(keys(3), to: "proc/key-users")
        #expect(await keeper.choose(after: nil)?.number == 1)
    }

    @Test func `all slices are ended before one is chosen, and the one that is chosen may run`() async throws {
        for number in 0..<3 { try slice(number, isPopulated: false) }
        #expect(await keeper.choose(after: keeper.users[0])?.number == 1)
        for number in 0..<3 { #expect(try written(number, "cgroup.kill") == "1") }
        #expect(try written(1, "cgroup.freeze") == "0")
    }

    @Test func `an ended slice stands still, so that nothing that comes late runs in it`() async throws {
        try slice(1, isPopulated: false)
        #expect(await TurnKeeper.end(keeper.users[1], in: keeper.hierarchy, limit: .seconds(10)) == .empty)
        #expect(try written(1, "cgroup.kill") == "1")
        #expect(try written(1, "cgroup.freeze") == "1")
    }

    @Test func `one with a process that does not end is populated when the time is over`() async throws {
        try slice(1, isPopulated: true)
        #expect(await TurnKeeper.end(keeper.users[1], in: keeper.hierarchy, limit: .milliseconds(50)) == .populated)
    }

    @Test func `one that was never there is empty, and one that cannot be ended is not`() async throws {
        #expect(await TurnKeeper.end(keeper.users[2], in: keeper.hierarchy, limit: .seconds(1)) == .empty)
        try slice(2, isPopulated: false)
        unlink("\(folder.path)/baton.slice/baton-turn.slice/baton-turn-2.slice/cgroup.kill")
        guard case .unknown = await TurnKeeper.end(keeper.users[2], in: keeper.hierarchy, limit: .seconds(1)) else {
            Issue.record("it was called ended")
            return
        }
    }

    @Test func `a machine without turn users has none`() {
        #expect(TurnKeeper(uids: [:], log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) == nil)
    }
}
