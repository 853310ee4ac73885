import Baton
import BatonContract
import BusTesting
import DBus
import FolderTesting
import Glibc
import LinuxSystem
import Logging
import Processes
import Synchronization
import Testing
import TurnControl
import Vocabulary

@testable import Agent
@testable import Clearing
@testable import Display

/// What a receipt says of a cover whose display goes.
@Suite(.timeLimit(.minutes(1))) struct CoverTests {
    /// A display that is lost when it has covered.
    private final class FragileScreen: Screen {
        let kind = "x11"
        private let breaks: Bool
        private let lost = Mutex(false)
        private let covers = Mutex<[String]>([])

        init(breaks: Bool) { self.breaks = breaks }

        /// What was to be read on it.
        var texts: [String] { covers.withLock { $0 } }

        func cover(_ text: String) async -> Bool {
            lost.withLock { $0 = breaks }
            covers.withLock { $0.append(text) }
            return true
        }
        func uncover() async {}
        var isLost: Bool { lost.withLock { $0 } }
    }

    @Test func `a worker reads their own language until they are gone, and the next one the terminal's`() async throws {
        let folder = try TemporaryFolder("cover")
        let screen = FragileScreen(breaks: false)
        let account = Account(id: "1", username: "ana", name: "Ana", locale: "hu-HU")
        var receipt = Receipt()
        receipt.outcome = .cleared
        receipt.browser = .clean
        receipt.browserChecks = [.init(holder: "start-page", outcome: .unchecked, explanation: "later")]
        receipt.shared = [.init(holder: "clipboard", outcome: .unchecked, explanation: "no display")]
        let kiosk = Kiosk.scripted(in: folder.path, screen: screen, link: NoLink(holder: account, ended: receipt))
        var configuration = Kiosk.scriptedConfiguration
        (configuration.startPage.language, configuration.startPage.contact) = (.german, "4711")
        _ = await kiosk.configure(configuration)
        let page = try #require(await kiosk.startPages)
        await kiosk.heard(.appeared)
        #expect(await page.state.language == "de")
        await kiosk.begin(Turn(epoch: 1, start: TurnStart()))
        await kiosk.heard(.signedIn(epoch: 1, account: account))
        #expect(await page.state.language == "hu")
        _ = await kiosk.signOutBrowser(1, nil, limit: TimeLimit(.seconds(20)))
        _ = await kiosk.clearSharedHolders(
            epoch: 1, began: nil, spare: [], waiting: [], limit: TimeLimit(.seconds(20)))
        await kiosk.heard(.phaseChanged(.quarantined))
        #expect(
            screen.texts == [
                "Kijelentkezés folyamatban. Kérjük, várjon.",
                "Außer Betrieb: Die letzte Abmeldung konnte nicht nachgewiesen werden.\nBitte anrufen: 4711",
            ])
        #expect(await page.state.language == "de")
        // What the page says of the end is what was looked at.
        await kiosk.heard(.signedOut(epoch: 1, account: account, outcome: .cleared))
        let ended = try #require(await page.state.ended)
        #expect(ended.name == "Ana" && ended.outcome == "cleared" && ended.unchecked == ["placeClipboard"])
        await kiosk.begin(Turn(epoch: 2, start: TurnStart()))
        await kiosk.heard(.signedIn(epoch: 2, account: account))
        #expect(await page.state.ended == nil)
        await kiosk.close()
    }

    @Test func `a page never shows a turn before it shows whose it is`() async throws {
        let folder = try TemporaryFolder("cover")
        var information = DeviceInformation()
        information.phase = .inUse
        let account = Account(id: "1", username: "ana", name: "Ana")
        let kiosk = Kiosk.scripted(in: folder.path, link: NoLink(holder: account, known: information))
        _ = await kiosk.configure(Kiosk.scriptedConfiguration)
        let page = try #require(await kiosk.startPages)
        // batond says it to all; that the turn is this agent's, it says next.
        await kiosk.heard(.phaseChanged(.inUse))
        await kiosk.heard(.signedIn(epoch: 1, account: account))
        #expect(await page.state.phase == "away")
        await kiosk.begin(Turn(epoch: 1, start: TurnStart()))
        let state = await page.state
        #expect(state.phase == "in-use" && state.name == "Ana")
        await kiosk.close()
    }

    @Test func `the cover names the apps that a sign-out waits for, until it has ended`() async throws {
        let folder = try TemporaryFolder("cover")
        let screen = FragileScreen(breaks: false)
        let kiosk = Kiosk.scripted(
            in: folder.path, screen: screen, link: NoLink(uncleared: ["org.example.Till", "other", "*left", "*gone"]))
        var configuration = Kiosk.scriptedConfiguration
        configuration.apps = [.init(id: "org.example.Till", name: "Till", command: ["/bin/true"])]
        _ = await kiosk.configure(configuration)
        await kiosk.begin(Turn(epoch: 1, start: TurnStart()))
        await kiosk.heard(.signingOut(epoch: 1, account: nil, reason: .user, deadline: 0))
        _ = await kiosk.signOutBrowser(1, nil, limit: TimeLimit(.seconds(20)))
        try await eventually { screen.texts.count > 1 }
        await kiosk.heard(.phaseChanged(.quarantined))
        #expect(await kiosk.progress == nil)
        #expect(
            screen.texts.prefix(2) == [
                "Signing out. Please wait.", "Signing out. Please wait.\nWaiting for: Till, other, other apps",
            ])
        await kiosk.close()
    }

    @Test(arguments: [false, true]) func `covered is said only of a display that is still there`(isLost: Bool)
        async throws
    {
        let folder = try TemporaryFolder("cover")
        let kiosk = Kiosk.scripted(in: folder.path, screen: FragileScreen(breaks: isLost))
        _ = await kiosk.configure(Kiosk.scriptedConfiguration)
        await kiosk.begin(Turn(epoch: 1, start: TurnStart()))
        let report = await kiosk.signOutBrowser(1, nil, limit: TimeLimit(.seconds(20)))
        let row = try #require(report.checks.first { $0.name == "screen" })
        #expect(row.outcome == (isLost ? .unchecked : .clean))
        #expect(row.explanation == (isLost ? "covered until the display was lost" : "covered"))
        // It may also go while the rest is cleared.
        let rows = await kiosk.clearSharedHolders(
            epoch: 1, began: nil, spare: [], waiting: [], limit: TimeLimit(.seconds(20)))
        #expect(rows.contains { $0.name == "screen" && $0.outcome == .unchecked } == isLost)
        await kiosk.close()
    }

    @Test func `a turn that ends while it begins leaves its user to no other`() async throws {
        let folder = try TemporaryFolder("cover")
        let display = try ChildProcess(["Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "640x480x24"])
        var number: Int?
        while number == nil, let line = try display.readLine() { number = Int(line) }
        let server = XServerKeeper(XAddress(display: ":\(try #require(number))"), ignoring: [])
        let kiosk = Kiosk.scripted(in: folder.path, screen: FragileScreen(breaks: false), server: server)
        var configuration = AgentConfiguration()
        configuration.browser.hasTurnUser = true
        _ = await kiosk.configure(configuration)
        // A display that does not answer is waited for before anything of the turn starts.
        kill(display.processID, SIGSTOP)
        let user = try #require(TurnNumber.all.first)
        let beginning = Task { await kiosk.begin(Turn(epoch: 1, start: TurnStart(), user: user)) }
        try await eventually { await kiosk.turn != nil }
        _ = await kiosk.signOutBrowser(1, nil, limit: TimeLimit(.seconds(20)))
        kill(display.processID, SIGCONT)
        await beginning.value
        #expect(await kiosk.users.wanted == nil)
        await kiosk.close()
    }
}
