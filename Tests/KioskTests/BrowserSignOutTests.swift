import Baton
import Glibc
import KioskTesting
import ProviderTesting
import TerminalTesting
import Testing
import WebText

/// Signing out inside the browser signs the device out.
@Suite("A sign-out in the browser", .asOrdinaryUser, .serialized, .timeLimit(.minutes(3)))
struct BrowserSignOutTests {
    private func untilSignedOut(_ epoch: Epoch, _ events: AsyncStream<DeviceEvent>) async {
        for await event in events {
            if case .signedOut(epoch, _, _) = event { return }
        }
    }

    @Test func `a page that goes to the provider's log-out ends the turn`() async throws {
        let kiosk = try await KioskTerminal.start()
        let epoch = try await kiosk.signIn(DevelopmentProviderProcess.ana)
        let events = try await kiosk.device.events()
        try await kiosk.site.send(KioskTerminal.page, to: "\(kiosk.provider.issuer)/logout")
        await untilSignedOut(epoch, events)
        let receipt = try await kiosk.device.receipt(epoch)
        #expect(receipt.reason == .browser)
        #expect(receipt.browser == .clean)
    }

    @Test func `a provider that answers late, and only to the browser's cookie, is left signed out`() async throws {
        let kiosk = try await KioskTerminal.start(
            provider: ["--misbehave", "log-out-needs-cookie", "--misbehave", "log-out-late"])
        try await kiosk.signIn(DevelopmentProviderProcess.ana)
        #expect(try await kiosk.provider.state("live_sessions") == 1)
        let receipt = try #require(try await kiosk.device.signOut().receipt)
        #expect(receipt.outcome == .cleared, "\(receipt.explanation) \(receipt.browserExplanation)")
        #expect(receipt.browserChecks.first { $0.holder == "provider-page" }?.outcome == .clean)
        #expect(receipt.provider == .signedOut, "\(receipt.providerExplanation)")
        // Only the worker's browser could end it. Which proof batond has first, the page's word or the refresh token that is
        // refused from then on, is open.
        let proofs = [
            "in the worker's browser redirected as after a log-out", "after the log-out it refused the refresh token",
        ]
        #expect(proofs.contains(where: receipt.providerExplanation.contains), "\(receipt.providerExplanation)")
        #expect(try await kiosk.provider.state("live_sessions") == 0)
        #expect(try await kiosk.provider.state("live_refresh_tokens") == 0)
    }

    @Test func `a page that goes to Entra ID's common log-out ends the turn as the tenant's does`() async throws {
        let kiosk = try await KioskTerminal.start(
            provider: ["--kind", "entra"], identity: ["authority-type": "entra"])
        let epoch = try await kiosk.signIn(DevelopmentProviderProcess.ana)
        let events = try await kiosk.device.events()
        let base = try #require(try await kiosk.provider.state(of: "base")?.string)
        try await kiosk.site.send(KioskTerminal.page, to: "\(base)/common/oauth2/logout")
        await untilSignedOut(epoch, events)
        #expect(try await kiosk.device.receipt(epoch).reason == .browser)
    }

    @Test func `a site that calls its own page a log-out ends nothing`() async throws {
        let kiosk = try await KioskTerminal.start()
        let epoch = try await kiosk.signIn(DevelopmentProviderProcess.ana)
        try await kiosk.site.send(KioskTerminal.page, to: "\(kiosk.site.address)/logout")
        _ = try await kiosk.site.request(for: "/logout")
        let current = try await kiosk.device.getCurrentAccount()
        #expect(current.epoch == epoch)
        #expect(current.current?.username == "ana")
    }
}
