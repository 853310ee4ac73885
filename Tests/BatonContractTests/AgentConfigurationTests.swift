import BatonContract
import DBus
import Testing

@Suite struct AgentConfigurationTests {
    private var complete: AgentConfiguration {
        var configuration = AgentConfiguration()
        configuration.browser.kind = .firefox
        configuration.holders = [.clipboard, .printJobs]
        configuration.strayProcesses = .end
        return configuration
    }

    @Test func `the agent reads the settings that batond tells it`() throws {
        #expect(try AgentConfiguration(complete.dictionary) == complete)
        #expect(try AgentConfiguration(AgentConfiguration().dictionary) == AgentConfiguration())
    }

    /// The settings alone have defaults, and off would be the worse one.
    @Test func `what batond does not say of a check or a sandbox is refused`() {
        for key in ["enforced", "spare"] {
            var browser = complete.browser.dictionary
            browser[key] = nil
            #expect(throws: DBusError.invalidValue("'\(key)' is missing")) {
                try AgentConfiguration.ManagedBrowser(browser)
            }
        }
        var app = AgentConfiguration.ManagedApp(id: "a", name: "b", command: ["/bin/c"]).dictionary
        app["sandbox"] = nil
        #expect(throws: DBusError.invalidValue("'sandbox' is missing")) { try AgentConfiguration.ManagedApp(app) }
    }

    /// Taken for another word, it would leave something of a worker behind and call that clean.
    @Test(arguments: ["browser", "holders", "stray-processes", "stray-files"])
    func `a word that the agent does not know is refused`(key: String) {
        for word in ["lynx", "", nil] {
            var given = complete.dictionary
            switch (key, word) {
            case ("browser", let word): given[key] = .dictionary(word.map { ["kind": .string($0)] } ?? [:])
            case ("holders", let word): given[key] = .strings(["clipboard", word ?? "Clipboard"])
            default: given[key] = word.map { .string($0) }
            }
            let error = #expect(throws: DBusError.self) { try AgentConfiguration(given) }
            #expect(error.map { "\($0)".contains(key == "browser" ? "kind" : key) } == true)
        }
    }
}
