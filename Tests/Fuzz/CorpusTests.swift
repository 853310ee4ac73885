import FolderTesting
import GeneratedInput
import Testing

/// The ways of `make fuzz` without its fuzzer: what is in `corpus`, and small changes of it. A trap ends the whole run, and
/// so does a promise that a way finds broken.
@Suite("Whatever comes in", .timeLimit(.minutes(4)))
struct CorpusTests {
    enum Subject: String, CaseIterable {
        case provider, messages, settings, journal

        var ways: [Way] {
            switch self {
            case .provider: ProviderWays.all
            case .messages: MessageWays.all
            case .settings: SettingsWays.all
            case .journal: JournalWays.all
            }
        }

        /// How often each input is changed: about as long for each subject.
        var changes: Int {
            switch self {
            case .provider: 300
            case .messages, .settings: 150
            case .journal: 60
            }
        }
    }

    @Test(arguments: Subject.allCases)
    func `is read or refused, on each way`(_ subject: Subject) throws {
        let (ways, inputs) = (subject.ways, try Self.inputs(subject))
        try #require(!inputs.isEmpty && !ways.isEmpty)
        var generated = GeneratedInput(seed: 17)
        for input in inputs {
            // The first byte chooses the way and stays.
            guard let choice = input.first else { continue }
            let way = ways[Int(choice &- UInt8(ascii: "0")) % ways.count]
            let bytes = Array(input.dropFirst())
            way.take(bytes)
            for _ in 0..<subject.changes { way.take(generated.changed(bytes)) }
        }
        for way in ways { #expect(way.executions > 0, "\(way.name)") }
    }

    private static func inputs(_ subject: Subject) throws -> [[UInt8]] {
        let here = #filePath.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }
        let folder = "\(here)/corpus/\(subject)"
        return try names(in: folder).filter { !$0.hasPrefix(".") }.map { try #require(bytes(in: "\(folder)/\($0)")) }
    }
}
