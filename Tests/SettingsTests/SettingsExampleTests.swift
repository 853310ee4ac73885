import Supervisor
import Testing

@Suite struct SettingsExampleTests {
    /// The example with every default's # taken away; lines with ## explain.
    static func uncommented() -> String {
        Settings.example.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("#") && !line.hasPrefix("##") ? String(line.dropFirst()) : String(line)
        }.joined(separator: "\n")
    }

    @Test func `the example as it is shipped means the defaults`() throws {
        let parsed = try parse(Settings.example)
        #expect(parsed.settings == Settings(defaultsFor: .system))
        #expect(parsed.warnings.isEmpty)
    }

    @Test func `the defaults that the example shows are the defaults`() throws {
        let parsed = try parse(Self.uncommented())
        #expect(parsed.settings == Settings(defaultsFor: .system))
        #expect(parsed.warnings.isEmpty)
    }

    @Test(arguments: Settings.keys) func `the example shows and explains every key`(key: String) throws {
        // A value that no key takes: where the key is shown, it is a fault of its line.
        var indentation = 0
        var shown: Int?
        let lines = Self.uncommented().split(separator: "\n", omittingEmptySubsequences: false)
        let parts = key.split(separator: ".")
        for (index, line) in lines.enumerated() where !line.hasPrefix("#") {
            if indentation < parts.count,
                line.hasPrefix(String(repeating: "  ", count: indentation) + parts[indentation] + ":")
            {
                indentation += 1
                if indentation == parts.count {
                    shown = index
                    break
                }
            }
        }
        let place = try #require(shown, "\(key) is not shown")
        let above = lines[..<place].reversed().prefix { !$0.isEmpty && !$0.allSatisfy { $0 == " " } }
        #expect(above.contains { $0.hasPrefix("##") }, "\(key) is not explained")
    }
}
