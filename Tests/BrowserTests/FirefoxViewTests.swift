import KioskTesting
import Testing
import Vocabulary

@testable import Agent

extension FirefoxTests {
    /// The start page in a real Firefox, looked at.
    @Suite(.enabled(if: WaylandKeyboard.isInstalled, "needs sway and wtype")) struct ViewTests {
        @Test func `at each moment all can be read and reached`() async throws {
            // One after the other, as often as it takes.
            let languages = StartPageMoment.all.indices.map { Language.allCases[$0 % Language.allCases.count] }
            try await FreeFirefox.run { terminal in
                for (moment, language) in zip(StartPageMoment.all, languages) {
                    await terminal.desk.change { state in
                        state = moment.state
                        state.language = language.rawValue
                    }
                    await terminal.browsers.untilCurrent(atMost: .seconds(30))
                    let seen = "document.documentElement.lang + JSON.stringify(\(StartPageMoment.faults))"
                    #expect(await terminal.evaluate(seen) == "\(language.rawValue)[]", "\(moment.name)")
                }
            }
        }
    }
}
