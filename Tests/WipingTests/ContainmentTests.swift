import Clearing
import ClearingTesting
import FolderTesting
import Glibc
import LinuxSystem
import Testing
import Vocabulary
import Wiping

@Suite(.timeLimit(.minutes(1)))
struct `Containing an app` {
    private func contain(_ child: ScriptProcess, _ wipes: [Wipe]?) async -> ContainmentReport {
        await ContainmentRun(processes: [child.process], wipes: wipes).run(limit: TimeLimit(.seconds(60)))
    }

    @Test func `a listed app that writes on and on ends and its folders are empty`() async throws {
        let folder = try TemporaryFolder("wiping")
        let data = try folder.folder("data")
        try folder.file("cache/file")
        let child = try ScriptProcess("cd \(data); echo ready; n=0; while :; do echo x > $n; n=$((n+1)); done")
        #expect(child.line() == "ready")
        let report = await contain(child, [Wipe(root: data), Wipe(root: folder.path + "/cache")])
        #expect(report == ContainmentReport(outcome: .contained, proof: .pid, explanation: ""))
        #expect(child.process.isGone && names(in: data).isEmpty && names(in: folder.path + "/cache").isEmpty)
    }

    @Test func `an unlisted app is stopped and no more is claimed`() async throws {
        let child = try ScriptProcess("exec sleep 1000")
        #expect(await contain(child, nil) == ContainmentReport(outcome: .stopped, proof: .pid, explanation: ""))
    }

    @Test func `one folder that is not empty is a failure that says which`() async throws {
        let folder = try TemporaryFolder("wiping")
        let file = try folder.file("file")
        try folder.file("data/file")
        let child = try ScriptProcess("exec sleep 1000")
        let report = await contain(child, [Wipe(root: folder.path + "/data"), Wipe(root: file)])
        #expect(report.outcome == .failed && report.explanation == "\(file): not a real directory")
        #expect(names(in: folder.path + "/data").isEmpty)
    }
}
