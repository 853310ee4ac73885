import Glibc
import LinuxSystem
import TerminalTesting
import Testing

@testable import TurnControl

/// In a control group of this machine's own, where one can be made.
@Suite(
    "The slice of a turn", .serialized, .timeLimit(.minutes(2)),
    .enabled("needs root and cgroup2") { Groups.arePossible })
struct TurnSliceTests {
    @Test func `that does not exist is empty, and ending it is no error`() throws {
        let slice = TurnSlice(folder: "/sys/fs/cgroup/no-such")
        #expect(slice.population() == .empty)
        try slice.kill()
        try slice.freeze(true)
        #expect(slice.waitUntilEmpty(limit: TimeLimit(.seconds(1))) == .empty)
    }

    @Test func `is not called empty while the kernel cannot be asked`() throws {
        let terminal = try Terminal()
        mkdir("\(terminal.folder)/group", 0o700)
        mkdir("\(terminal.folder)/group/cgroup.events", 0o700)
        let slice = TurnSlice(folder: "\(terminal.folder)/group")
        guard case .unknown = slice.population() else {
            Issue.record("\(slice.population())")
            return
        }
        // Its files are not there: it is no control group.
        #expect(throws: TurnSlice.Failure(reason: "cgroup.kill: \(reason(ENOENT))")) { try slice.kill() }
    }

    @Test func `ends with all that is in it: what forks, stands still, ignores signals, or has left its session`()
        async throws
    {
        let group = try Groups.make()
        defer { Groups.remove(group) }
        let slice = TurnSlice(folder: group)
        #expect(slice.population() == .empty)
        let script = """
            echo $$ >\(group)/cgroup.procs
            trap '' TERM INT HUP
            (setsid sh -c '(sleep 1000 &) & kill -STOP $$' &)
            for i in 1 2 3 4 5 6 7 8 9 10; do (trap '' TERM; sleep 1000) & done
            (while :; do (:) & wait; done) &
            echo up
            wait
            """
        let program = try Program(["bash", "-c", script])
        try await program.line(containing: "up")
        #expect(slice.population() == .populated)
        #expect(slice.waitUntilEmpty(limit: TimeLimit(.milliseconds(1))) == .populated)
        try slice.kill()
        #expect(slice.waitUntilEmpty(limit: TimeLimit(.seconds(60))) == .empty)
        #expect(await program.end() == 128 + SIGKILL)
        #expect(slice.population() == .empty)
    }

    @Test func `stands still when it is frozen, and can be ended so`() async throws {
        let group = try Groups.make()
        defer { Groups.remove(group) }
        let slice = TurnSlice(folder: group)
        let program = try Program(["sh", "-c", "echo $$ >\(group)/cgroup.procs; echo up; exec sleep 1000"])
        try await program.line(containing: "up")
        try slice.freeze(true)
        let isFrozen = { readSmallFile("\(group)/cgroup.events").map { String(decoding: $0, as: UTF8.self) } }
        let limit = TimeLimit(.seconds(60))
        while isFrozen()?.contains("frozen 1") != true, !limit.isOver { sched_yield() }
        #expect(isFrozen()?.contains("frozen 1") == true)
        try slice.kill()
        #expect(slice.waitUntilEmpty(limit: limit) == .empty)
        _ = await program.end()
    }

    @Test func `that is removed meanwhile is empty`() throws {
        let group = try Groups.make()
        let slice = TurnSlice(folder: group)
        Groups.remove(group)
        #expect(slice.population() == .empty)
    }
}

enum Groups {
    static var root: String {
        access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/unified"
    }

    static let arePossible: Bool = {
        guard geteuid() == 0, let group = try? make() else { return false }
        defer { remove(group) }
        return access("\(group)/cgroup.kill", W_OK) == 0
    }()

    static func make() throws -> String {
        var template = Array("\(root)/baton-slice-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TurnSlice.Failure(reason: "no control group") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func remove(_ group: String) {
        try? TurnSlice(folder: group).kill()
        _ = TurnSlice(folder: group).waitUntilEmpty(limit: TimeLimit(.seconds(10)))
        rmdir(group)
    }
}
