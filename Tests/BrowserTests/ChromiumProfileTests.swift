import BusTesting
import FoundationEssentials
import Testing

@testable import Browsers

@Suite(.timeLimit(.minutes(1))) struct ChromiumProfileTests {
    private struct Preferences: Decodable {
        var keepsCredentials: Bool
        var profile: Profile
        enum CodingKeys: String, CodingKey {
            case keepsCredentials = "credentials_enable_service"
            case profile
        }
        struct Profile: Decodable {
            var hasManager: Bool
            enum CodingKeys: String, CodingKey { case hasManager = "password_manager_enabled" }
        }
    }

    @Test func `a fresh profile offers to keep no name and no PIN`() async throws {
        // What comes before the browser is what is looked at.
        let command = try ChromiumArguments.command("/bin/true", display: .none, further: [])
        let look = #"export HOME="$(mktemp -d)"; "$@" && cat "$HOME/chromium/Default/Preferences"; rm -r "$HOME""#
        let (text, status) = await (try ChildProcess(["sh", "-c", look, "sh"] + command)).end()
        #expect(status == 0)
        let preferences = try JSONDecoder().decode(Preferences.self, from: Data(text.utf8))
        #expect(!preferences.keepsCredentials && !preferences.profile.hasManager)
    }

    @Test(arguments: [false, true]) func `where there is no graphics card, none is imitated`(hasGraphics: Bool) throws {
        let command = try ChromiumArguments.command(
            "/bin/true", display: .x11, further: [], hasGraphics: hasGraphics)
        #expect(command.contains("--disable-gpu") == !hasGraphics)
    }
}
