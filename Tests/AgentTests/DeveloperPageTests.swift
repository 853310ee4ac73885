import Baton
import BatonContract
import FolderTesting
import Presentation
import Synchronization
import Testing
import Vocabulary

@testable import Agent
@testable import Clearing

/// The part of the start page for people who write apps.
@Suite(.timeLimit(.minutes(1))) struct DeveloperPageTests {
    private static let ana = Account(id: "https://idp.test 1", username: "ana", name: "Ana", locale: "hu")

    private final class Asked: Sendable {
        let queries = Mutex<[DeveloperQuery]>([])
    }

    private func kiosk(_ link: NoLink, isForDevelopers: Bool) async throws -> (Kiosk, StartPageServer, TemporaryFolder)
    {
        let folder = try TemporaryFolder("developer")
        let kiosk = Kiosk.scripted(in: folder.path, link: link)
        var configuration = Kiosk.scriptedConfiguration
        configuration.startPage.isForDevelopers = isForDevelopers
        let state = await kiosk.configure(configuration)
        #expect(state.warnings.contains { $0.contains("start-page.developer") } == isForDevelopers)
        let page = try #require(await kiosk.startPages)
        await kiosk.begin(Turn(epoch: 1, start: TurnStart()))
        await kiosk.heard(.signedIn(epoch: 1, account: Self.ana))
        return (kiosk, page, folder)
    }

    @Test func `a call shows the account as apps get it, and at the sign-out all of it is gone`() async throws {
        let (kiosk, page, folder) = try await kiosk(NoLink(holder: Self.ana), isForDevelopers: true)
        #expect(await kiosk.outside.wish(.ask(.account)) == .none)
        var log = try #require(await page.state.developer)
        #expect(log.account == [["id", Self.ana.id], ["locale", "hu"], ["name", "Ana"], ["username", "ana"]])
        #expect(log.lines.map(\.name) == ["GetCurrentAccount", "SignedIn"])
        // What the page does by other buttons is a call as well.
        _ = await kiosk.outside.wish(.staySignedIn)
        #expect(await page.state.developer?.lines.first?.name == "KeepSignedIn")
        await kiosk.heard(.signingOut(epoch: 1, account: Self.ana, reason: .user, deadline: 0))
        log = try #require(await page.state.developer)
        #expect(log.account.isEmpty && log.lines.map(\.text) == ["epoch 1, user"])
        await kiosk.heard(.signedOut(epoch: 1, account: Self.ana, outcome: .cleared))
        #expect(await page.state.developer?.lines.map(\.text) == ["epoch 1, cleared"])
        await kiosk.close()
        withExtendedLifetime(folder) {}
    }

    @Test func `an answer that comes after the sign-out goes nowhere`() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let (gates, gate) = AsyncStream.makeStream(of: Void.self)
        let link = NoLink(holder: Self.ana) { _ in
            ask.yield()
            for await _ in gates { return }
        }
        let (kiosk, page, folder) = try await kiosk(link, isForDevelopers: true)
        async let late = kiosk.outside.wish(.ask(.account))
        for await _ in asked { break }
        await kiosk.heard(.signedOut(epoch: 1, account: Self.ana, outcome: .cleared))
        gate.yield()
        _ = await late
        let log = try #require(await page.state.developer)
        #expect(log.account.isEmpty && log.lines.map(\.name) == ["SignedOut"])
        await kiosk.close()
        withExtendedLifetime(folder) {}
    }

    @Test func `where the settings do not ask for it, nothing is kept and no call is made`() async throws {
        let asked = Asked()
        let link = NoLink(holder: Self.ana) { query in asked.queries.withLock { $0.append(query) } }
        let (kiosk, page, folder) = try await kiosk(link, isForDevelopers: false)
        #expect(await kiosk.outside.wish(.ask(.account)) == .message(.failed))
        #expect(await page.state.developer == nil)
        #expect(asked.queries.withLock { $0.isEmpty })
        await kiosk.close()
        withExtendedLifetime(folder) {}
    }

    @Test func `the log is as long as a page, and a wish for another member is none`() {
        var log = DeveloperLog()
        for number in 1...100 { log.add(.init(name: "\(number)")) }
        #expect(log.lines.count == DeveloperLog.most && log.lines.first?.name == "100")
        #expect(StartPageServer.Wish(#"{"wish":"ask","member":"GetDeviceMode"}"#) == .ask(.mode))
        #expect(StartPageServer.Wish(#"{"wish":"ask","member":"SetDeviceMode"}"#) == nil)
        #expect(StartPageServer.Wish(#"{"wish":"ask"}"#) == nil)
    }
}
