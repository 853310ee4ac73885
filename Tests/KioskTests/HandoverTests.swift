import Baton
import FolderTesting
import Glibc
import KioskTesting
import ProviderTesting
import TerminalTesting
import Testing

/// A worker leaves their token in every kind of browser state; the next one looks for it. Of the kills each has its day.
@Suite("A kiosk handed over", .asOrdinaryUser, .serialized, .timeLimit(.minutes(12)))
struct HandoverTests {
    private let ana = DevelopmentProviderProcess.ana
    private let ben = DevelopmentProviderProcess.ben
    /// What a page can leave without a person who clicks.
    private let expected = StateKind.kept.subtracting([.permission])

    private func token() -> String { "canary" + String(UInt64.random(in: .min ... .max), radix: 36) }

    @Test func `the next worker finds nothing of the one before, in the browser, on disk or in memory`() async throws {
        let kiosk = try await KioskTerminal.start()
        let token = token()
        let epoch = try await kiosk.signIn(ana)
        let seeding = try await kiosk.seed(token)
        #expect(seeding.seeded.isSuperset(of: expected), "\(seeding.failed)")

        let receipt = try #require(try await kiosk.device.signOut().receipt)
        #expect(receipt.outcome == .cleared, "\(receipt.explanation) \(receipt.browserExplanation)")
        #expect(receipt.browser == .clean)
        // A busy machine may not give the provider's page its time.
        let checks = receipt.browserChecks.filter { $0.holder != "provider-page" }
        #expect(checks.map(\.holder) == ["screen", "browser", "start-page"])
        #expect(checks.allSatisfy { $0.outcome == .clean })
        #expect(receipt.provider == .signedOut)

        let probe = LeakProbe(token)
        #expect(await probe.files(under: [kiosk.terminal.folder, "/dev/shm"]).places.isEmpty)
        #expect(await probe.processes(except: kiosk.others).places.isEmpty)

        let next = try await kiosk.signIn(ben)
        #expect(next == epoch.next)
        #expect(try await kiosk.look("ben") == [:])
    }

    @Test func `without a sign-out in between all of it is there`() async throws {
        let kiosk = try await KioskTerminal.start()
        let token = token()
        try await kiosk.signIn(ana)
        _ = try await kiosk.seed(token)
        let found = try await kiosk.look("ana", from: "seed \(token)")
        #expect(Set(found.keys).isSuperset(of: expected.subtracting(StateKind.ofTab)), "\(found)")
        #expect(await !LeakProbe(token).processes(except: kiosk.others).places.isEmpty)
    }

    enum Blow: String, CaseIterable { case browser, agent, batond }

    @Test(arguments: Rotation.turn(of: Blow.allCases))
    func `a kill in the middle of a sign-out leaves nothing behind either`(blow: Blow) async throws {
        // The provider's page that hangs holds the browser's sign-out open for as long as it may.
        let kiosk = try await KioskTerminal.start(wait: "2s")
        let token = token()
        let epoch = try await kiosk.signIn(ana)
        _ = try await kiosk.seed(token)
        try await kiosk.provider.misbehave("hang@logout")
        let agent = try await kiosk.agent()
        let watcher = try await kiosk.terminal.device()
        let events = try await watcher.events()
        let leaving = Task { _ = try? await kiosk.device.signOut() }
        for await event in events {
            if case .signingOut(epoch, _, _, _) = event { break }
        }
        var second: Program?
        switch blow {
        case .browser: for pid in KioskTerminal.browserProcesses() { kill(pid, SIGKILL) }
        case .agent: kill(agent.pid, SIGKILL)
        case .batond:
            await kiosk.daemon.kill()
            second = try kiosk.terminal.run(
                ["batond", "--session"], environment: kiosk.display)
        }
        _ = await leaving.value
        try await kiosk.waitUntilReady()
        try await kiosk.provider.behave()
        let receipt = try await kiosk.device.receipt(epoch)
        #expect(receipt.release != nil || receipt.outcome == .cleared, "\(receipt)")

        let probe = LeakProbe(token)
        #expect(await probe.files(under: [kiosk.terminal.folder, "/dev/shm"]).places.isEmpty)
        let places = await probe.processes(except: kiosk.others).places
        #expect(places.isEmpty, "\(places) \(receipt)")
        try await kiosk.signIn(ben)
        #expect(try await kiosk.look("ben") == [:])
        withExtendedLifetime(second) {}
    }

    /// The next agent ends what this one had no time to.
    @Test(
        arguments: Rotation.turn(of: [
            "asked to sign the browser out", "browser: before it is ended", "browser: after it was ended",
            "before the answer about the browser",
        ]))
    func `an agent that is killed while it ends the browser leaves nothing behind either`(step: String) async throws {
        let kiosk = try await KioskTerminal.start {
            ["BATON_KILL_AT": "baton-agent:1:\($0.folder)/order:\(step)"]
        }
        let token = token()
        let epoch = try await kiosk.signIn(ana)
        _ = try await kiosk.seed(token)
        #expect(!kiosk.terminal.exists("order"))
        _ = try? await kiosk.device.signOut()
        try await kiosk.waitUntilReady()
        #expect(contents("\(kiosk.terminal.folder)/order") == step)
        let receipt = try await kiosk.device.receipt(epoch)
        #expect(receipt.release != nil || receipt.outcome == .cleared, "\(receipt)")
        #expect(await LeakProbe(token).processes(except: kiosk.others).places.isEmpty)
        try await kiosk.signIn(ben)
        #expect(try await kiosk.look("ben") == [:])
    }

    @Test func `a browser of which every process is stopped changes nothing`() async throws {
        let kiosk = try await KioskTerminal.start()
        let token = token()
        try await kiosk.signIn(ana)
        _ = try await kiosk.seed(token)
        for pid in KioskTerminal.browserProcesses() { kill(pid, SIGSTOP) }
        let receipt = try #require(try await kiosk.device.signOut().receipt)
        #expect(receipt.outcome == .cleared, "\(receipt.explanation) \(receipt.browserChecks)")
        #expect(await LeakProbe(token).processes(except: kiosk.others).places.isEmpty)
        try await kiosk.signIn(ben)
        #expect(try await kiosk.look("ben") == [:])
    }
}
