import Baton
import BusTesting
import FoundationEssentials
import Glibc
import KioskTesting
import ProviderTesting
import TerminalTesting
import Testing

/// What is on the screen of a terminal when people leave it, or its agent does.
@Suite("A terminal that was left", .asOrdinaryUser, .serialized, .timeLimit(.minutes(4)))
struct LeftTerminalTests {
    @Test func `an agent that is stopped at a sign-out leaves nobody's browser on the screen`() async throws {
        let kiosk = try await KioskTerminal.start()
        let epoch = try await kiosk.signIn(DevelopmentProviderProcess.ana)
        let token = "canary" + String(UInt64.random(in: .min ... .max), radix: 36)
        _ = try await kiosk.seed(token)
        let agent = try await kiosk.agent()
        agent.pause()
        let receipt = try #require(try await kiosk.device.signOut().receipt)
        #expect(receipt.outcome == .quarantined && receipt.browser == .failed)
        // Ended with all that it had started, and the next one makes up for it, whoever asks for nothing.
        try await kiosk.daemon.line(containing: "was ended with all that it started")
        try await kiosk.waitUntilReady()
        #expect(try await kiosk.device.receipt(epoch).release?.by == .retry)
        #expect(await LeakProbe(token).processes(except: kiosk.others).places.isEmpty)
        try await kiosk.signIn(DevelopmentProviderProcess.ben)
        #expect(try await kiosk.look("ben") == [:])
    }

    @Test func `a sign-in that nobody finishes is cancelled, and its browser with it`() async throws {
        let kiosk = try await KioskTerminal.start(browser: ["left-after: 2s"])
        let error = await #expect(throws: BatonError.self) {
            // Nobody types anything on the provider's page.
            _ = try await kiosk.device.signIn(ProviderSignIn()) { _ in }
        }
        #expect(error?.code == .userCanceled)
        // A slow machine takes longer to type.
        let settings = try String(contentsOfFile: "\(kiosk.terminal.folder)/config/baton/baton.yaml", encoding: .utf8)
        try kiosk.terminal.configure(
            settings.replacing("left-after: 2s", with: "left-after: 90s"), accounts: false)
        #expect(try await kiosk.terminal.batonctl("reload").status == 0)
        try await kiosk.waitUntilReady()
        try await kiosk.signIn(DevelopmentProviderProcess.ana)
        #expect(try await kiosk.device.getCurrentAccount().current?.username == "ana")
    }

    @Test func `a sign-in begins in a browser that nobody has used, and the page before it is gone`() async throws {
        let kiosk = try await KioskTerminal.start()
        try await kiosk.waitUntilReady()
        try await kiosk.device.awaitStartPage()
        let before = Set(KioskTerminal.browserProcesses())
        try await kiosk.signIn(DevelopmentProviderProcess.ana)
        // The one that stood by is the worker's; the start page's ends, which nobody waits for.
        try await eventually { !before.isSubset(of: KioskTerminal.browserProcesses()) }
        #expect(try await kiosk.device.getCurrentAccount().current?.username == "ana")
        let receipt = try #require(try await kiosk.device.signOut().receipt)
        #expect(receipt.outcome == .cleared, "\(receipt.explanation)")
    }
}
