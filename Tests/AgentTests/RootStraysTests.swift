import BatonContract
import BusTesting
import Glibc
import LinuxSystem
import Logging
import Testing
import Vocabulary

@testable import Clearing

@Suite(.timeLimit(.minutes(1)), .enabled(if: geteuid() == 0, "is about root"))
struct RootStraysTests {
    /// Root has processes of its own in every turn, and before each.
    @Test(arguments: [StrayTreatment.end, .name])
    func `an agent that runs as root calls no processes clean`(_ treatment: StrayTreatment) async throws {
        let bus = try PrivateBus()
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let strays = Strays(home: bus.folder, environment: [:], folder: bus.folder, log: log, participants: { [] })
        var configuration = AgentConfiguration()
        (configuration.strayProcesses, configuration.strayFiles) = (treatment, .name)
        let rows = await strays.clear(
            configuration, TurnStart(), spared: [], waiting: [], limit: TimeLimit(.seconds(20)))
        for name in ["processes", "earlier-processes"] {
            let row = try #require(rows.first { $0.name == name })
            #expect(row.outcome == .unchecked && row.explanation.contains("root"), "\(row)")
        }
    }
}
