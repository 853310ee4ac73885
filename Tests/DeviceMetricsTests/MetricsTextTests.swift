import BusTesting
import DeviceMetrics
import FolderTesting
import Testing
import Vocabulary

@Suite("Metrics as text", .timeLimit(.minutes(1)))
struct MetricsTextTests {
    @Test func `all that is known of a device is there`() {
        let lines = DeviceFigures.example.text(.example).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(
            lines.map(String.init) == [
                #"baton_build_info{version="1.2.3"} 1"#,
                "baton_start_time_seconds 1795783000",
                #"baton_device_phase{phase="ready"} 0"#,
                #"baton_device_phase{phase="signing-in"} 0"#,
                #"baton_device_phase{phase="in-use"} 0"#,
                #"baton_device_phase{phase="clearing"} 0"#,
                #"baton_device_phase{phase="quarantined"} 1"#,
                "baton_quarantined_since_timestamp_seconds 1795783239.1",
                "baton_turns_total 5",
                #"baton_sign_outs_total{outcome="cleared"} 2"#,
                #"baton_sign_outs_total{outcome="owed"} 1"#,
                #"baton_sign_outs_total{outcome="contained"} 0"#,
                #"baton_sign_outs_total{outcome="quarantined"} 1"#,
                #"baton_barrier_seconds_bucket{le="0.1"} 2"#,
                #"baton_barrier_seconds_bucket{le="0.25"} 2"#,
                #"baton_barrier_seconds_bucket{le="0.5"} 3"#,
                #"baton_barrier_seconds_bucket{le="1"} 3"#,
                #"baton_barrier_seconds_bucket{le="1.5"} 3"#,
                #"baton_barrier_seconds_bucket{le="2.5"} 3"#,
                #"baton_barrier_seconds_bucket{le="5"} 3"#,
                #"baton_barrier_seconds_bucket{le="7.5"} 3"#,
                #"baton_barrier_seconds_bucket{le="10"} 3"#,
                #"baton_barrier_seconds_bucket{le="15"} 3"#,
                #"baton_barrier_seconds_bucket{le="20"} 3"#,
                #"baton_barrier_seconds_bucket{le="+Inf"} 4"#,
                "baton_barrier_seconds_sum 25.458001",
                "baton_barrier_seconds_count 4",
                "baton_apps_owing 2",
                "baton_agent_present 1",
                "baton_provider_reachable 0",
                "baton_provider_checked_timestamp_seconds 1795783200",
                "baton_journal_size_bytes 81920",
                "baton_journal_failed 0",
                "baton_receipt_chain_entries 7",
                #"baton_receipt_head_info{head="7:"# + String(repeating: "9c", count: 32) + #""} 1"#,
            ])
    }

    @Test func `what was not looked at has no line`() {
        let text = DeviceFigures.unknown.text(ProcessFigures(version: "1.2.3", started: 0, journalSize: nil))
        for name in [
            "quarantined_since", "provider_reachable", "provider_checked", "journal_size", "receipt_chain",
            "receipt_head",
        ] {
            #expect(!text.contains("baton_\(name)"))
        }
        #expect(text.contains("\nbaton_journal_failed 1\n"))
        // Counters are there from the start on, or their first increase is lost.
        #expect(text.contains("\nbaton_turns_total 0\n"))
        for outcome in Outcome.allCases {
            #expect(text.contains("\nbaton_sign_outs_total{outcome=\"\(outcome.rawValue)\"} 0\n"))
        }
    }

    @Test(arguments: [DeviceFigures.example, .unknown])
    func `promtool accepts it`(figures: DeviceFigures) throws {
        let folder = try TemporaryFolder("metrics")
        // A version that nothing would have made, since a label must hold whatever comes.
        let process = ProcessFigures(version: "1\\2\"3\n4", started: -1, journalSize: .max)
        let file = try folder.write(figures.text(process), to: "baton.prom")
        let tool = try ChildProcess(["sh", "-c", "promtool check metrics <\"$0\"", file]).waitForEnd()
        #expect(tool.status == 0 && tool.output.isEmpty, "\(tool.output)")
    }

    @Test func `figures that no device reaches do not trap`() {
        var tally = TurnTally()
        tally.signedOut(.cleared, took: .max)
        tally.signedOut(.cleared, took: .max)
        var figures = DeviceFigures.example
        figures.tally = tally
        figures.quarantinedSince = .min
        let text = figures.text(.example)
        #expect(text.contains("\nbaton_barrier_seconds_sum 18446744073709.551615\n"))
        #expect(text.contains("\nbaton_quarantined_since_timestamp_seconds -9223372036854.775808\n"))
    }
}
