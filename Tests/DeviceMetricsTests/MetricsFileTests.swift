import BusTesting
import FolderTesting
import Glibc
import LinuxSystem
import Synchronization
import Testing

@testable import DeviceMetrics

@Suite("The file of metrics", .timeLimit(.minutes(1)))
struct MetricsFileTests {
    private let folder: TemporaryFolder
    private let source = ScriptedSource()
    private let lines = LoggedLines()

    init() throws { folder = try TemporaryFolder("metrics") }

    private func file(_ name: String = "baton.prom") -> MetricsFile {
        MetricsFile(folder.path(of: name), source: source.source, log: lines.logger)
    }

    private func turns(_ name: String = "baton.prom") -> String? {
        folder.text(of: name)?.split(separator: "\n").first { $0.hasPrefix("baton_turns_total ") }
            .map { String($0.dropFirst("baton_turns_total ".count)) }
    }

    private func close(_ file: MetricsFile) async {
        await withCheckedContinuation { done in file.close { done.resume() } }
    }

    @Test func `it is whole at any moment, can be read by all, and goes when it is closed`() async throws {
        // As batond's unit has it.
        let mask = umask(0o077)
        defer { umask(mask) }
        try folder.write("of a batond that was killed", to: "baton.prom.new")
        let file = file()
        for number in 1...100 {
            source.turn()
            file.changed()
            if let text = folder.text(of: "baton.prom") {
                #expect(text.hasSuffix("baton_journal_failed 1\n"), "\(number)")
            }
        }
        // However many changes there were, the last one is in it.
        try await eventually { turns() == "100" }
        #expect(folder.mode(of: "baton.prom") == 0o644)
        #expect(folder.names == ["baton.prom"])
        await close(file)
        file.changed()
        await settle(file)
        #expect(folder.names.isEmpty && lines.all.isEmpty)
    }

    @Test func `figures that do not come hold nothing up`() async throws {
        source.beSilent()
        let file = file()
        for _ in 1...10 { file.changed() }
        #expect(folder.names.isEmpty)
        source.turn()
        source.speak()
        try await eventually { turns() == "1" }
        await close(file)
    }

    @Test func `a disk that hangs keeps one thread and no caller, and what changed meanwhile is written once`()
        async throws
    {
        let (disk, figures) = (HangingDisk(), source.source)
        let file = MetricsFile(
            folder.path(of: "baton.prom"),
            source: MetricsSource(
                ask: figures.ask,
                process: {
                    disk.look()
                    return .example
                }), log: lines.logger)
        for _ in 1...50 {
            source.turn()
            file.changed()
        }
        try await eventually { disk.looks == 1 }
        #expect(folder.names.isEmpty)
        for _ in 1...2 { disk.answer() }
        try await eventually { turns() == "50" }
        await settle(file)
        #expect(disk.looks == 2)
        // Nor does its end wait for one that hangs.
        file.changed()
        try await eventually { disk.looks == 3 }
        await close(file)
        #expect(folder.names.isEmpty)
        disk.answer()
        await settle(file)
        #expect(folder.names.isEmpty)
    }

    @Test func `a folder that is missing is one warning, and its coming is told`() async throws {
        let file = file("later/baton.prom")
        for _ in 1...3 {
            file.changed()
            await settle(file)
        }
        #expect(lines.all == ["warning the file of metrics cannot be written"])
        try folder.folder("later")
        file.changed()
        try await eventually { turns("later/baton.prom") == "0" }
        try await eventually { lines.all.count == 2 }
        #expect(lines.all.last == "notice the file of metrics can be written again")
        await close(file)
    }

    /// Waits until what was asked for is done.
    private func settle(_ file: MetricsFile) async { while file.isBusy { await Task.yield() } }

    @Test(arguments: ["link", "folder", "pipe"])
    func `what is no file stays what it is`(kind: String) async throws {
        let path = folder.path(of: "baton.prom")
        try folder.write("not metrics", to: "other")
        switch kind {
        case "link": #expect(symlink("other", path) == 0)
        case "folder": try folder.folder("baton.prom")
        default: #expect(mkfifo(path, 0o600) == 0)
        }
        let file = file()
        file.changed()
        await settle(file)
        await close(file)
        #expect(lines.all == ["warning the file of metrics cannot be written"])
        #expect(folder.names == ["baton.prom", "other"] && folder.text(of: "other") == "not metrics")
    }
}

/// Answers each look at it when the test says so.
private final class HangingDisk: Sendable {
    private let bell = Bell()
    private let count = Atomic(0)

    var looks: Int { count.load(ordering: .relaxed) }

    func look() {
        count.add(1, ordering: .relaxed)
        _ = bell.wait()
    }

    func answer() { bell.ring() }
}
