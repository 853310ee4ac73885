import FoundationEssentials
import Settings
import Testing
import WebText

/// The schema says of each key what the reader wants and what the example says.
@Suite struct SettingsSchemaTests {
    private func schema() throws -> JSONValue { try #require(JSONValue(try SettingsSchema.text.utf8)) }

    private func node(_ key: String, in schema: JSONValue) -> JSONValue? {
        key.split(separator: ".").reduce(schema) { node, part in node?["properties"]?[String(part)] }
    }

    @Test(arguments: Settings.keys) func `every key is in it, with its words`(key: String) throws {
        let node = try #require(node(key, in: try schema()))
        let explanation = SettingsExplanation.all.first { $0.key == key }
        if let explanation, !explanation.text.isEmpty {
            #expect(node["description"]?.string?.hasPrefix(explanation.text) == true)
        }
        // All but the list of an earlier version, which no one should write.
        #expect(explanation != nil || key == "identity.accounts")
    }

    @Test func `words, numbers, flags, durations and lists are told apart`() throws {
        let schema = try schema()
        #expect(node("barrier.unproven", in: schema)?["enum"]?.strings == ["owe", "quarantine"])
        #expect(node("limits.receipts", in: schema)?["maximum"]?.integer == 100_000)
        #expect(node("agent.required", in: schema)?["enum"]?.array?.first == true)
        #expect(node("barrier.hard", in: schema)?["pattern"] == "^([0-9]+(ms|s|min|h|d))$")
        #expect(node("barrier.hard", in: schema)?["default"] == "5s")
        #expect(node("automatic-sign-out.idle", in: schema)?["pattern"] == "^(off|[0-9]+(ms|s|min|h|d))$")
        #expect(node("remember-previous", in: schema)?["pattern"] == "^(always|off|[0-9]+(ms|s|min|h|d))$")
        #expect(node("administrators", in: schema)?["default"] == ["root"])
        #expect(node("desktop.keyboards", in: schema)?["type"] == "object")
        #expect(node("identity.client-id", in: schema)?["default"] == nil)
        #expect(
            schema["additionalProperties"] == false
                && schema["properties"]?["barrier"]?["additionalProperties"] == false)
    }
}
