import BusTesting
import DeviceMetrics
import FolderTesting
import Testing
import WebText

@Suite("What documents say of metrics", .timeLimit(.minutes(1)))
struct MetricsPageTests {
    private static let package = #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }

    /// What one metric is read as.
    private static let series = Set(
        Metric.all.flatMap { metric in
            metric.kind == .histogram
                ? ["_bucket", "_sum", "_count"].map { metric.name + $0 } : [metric.name]
        })

    private static func text(of file: String) throws -> String { try #require(contents("\(package)/docs/\(file)")) }

    /// The names of metrics in a text, whatever stands around them.
    private static func names(in text: String) -> Set<String> {
        Set(
            text.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_") }
                .filter { $0.hasPrefix("baton_") }.map(String.init))
    }

    @Test func `the table of the page for administrators has each metric and no other`() throws {
        let rows = try Self.text(of: "administering.md").split(separator: "\n").filter { $0.hasPrefix("| `baton_") }
        let told = rows.map { row in row.split(separator: "|").prefix(2).map { $0.filter { !" `".contains($0) } } }
        #expect(told == Metric.all.map { [$0.name, $0.kind.rawValue] })
    }

    @Test(arguments: ["grafana/baton.json", "prometheus/baton.rules.yaml"])
    func `a board or rules ask for nothing that batond does not write`(file: String) throws {
        let names = Self.names(in: try Self.text(of: file))
        #expect(!names.isEmpty)
        #expect(names.subtracting(Self.series) == [])
        let written = DeviceFigures.example.text(.example).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(names.subtracting(written.map { String($0.prefix { $0 != " " && $0 != "{" }) }) == [])
    }

    @Test func `the board is one that Grafana takes`() throws {
        let board = try #require(JSONValue(try Self.text(of: "grafana/baton.json").utf8))
        #expect(board["uid"]?.string == "baton" && board["title"]?.string == "Baton terminals")
        #expect(board["schemaVersion"]?.integer ?? 0 >= 36)
        let panels = try #require(board["panels"]?.array)
        var places: Set<String> = []
        for panel in panels {
            let title = try #require(panel["title"]?.string)
            let target = try #require(panel["targets"]?.array?.first, "\(title)")
            #expect(target["expr"]?.string?.isEmpty == false, "\(title)")
            // Whatever the source of data is called, the board asks for it.
            #expect(panel["datasource"]?["uid"]?.string == "${datasource}", "\(title)")
            let place = try #require(panel["gridPos"], "\(title)")
            let isFree = places.insert("\(place["x"]?.integer ?? -1) \(place["y"]?.integer ?? -1)").inserted
            #expect(isFree, "\(title)")
        }
        #expect(panels.count >= 8)
    }

    @Test func `promtool accepts the rules, and they ring when they are to`() throws {
        let file = "\(Self.package)/docs/prometheus/baton.rules.yaml"
        let check = try ChildProcess(["promtool", "check", "rules", file]).waitForEnd()
        #expect(check.status == 0, "\(check.output)")
        let tests = try TemporaryFolder("rules")
        try tests.write(RuleTrial.text(rules: file), to: "trial.yaml")
        let trial = try ChildProcess(["promtool", "test", "rules", tests.path(of: "trial.yaml")]).waitForEnd()
        #expect(trial.status == 0, "\(trial.output)")
    }
}
