import Baton
import Testing

@testable import BatonctlProgram

@Suite struct RenderingTests {
    @Test func `status tells people how the device stands`() {
        let report = StatusReport(
            device: Fixtures.device, current: Fixtures.ana, previous: Fixtures.bo, participants: Fixtures.apps,
            lastReceipt: Fixtures.receipt)
        #expect(
            Fixtures.rendering.status(report) == """
                Device    ward-3 (system bus)
                Mode      shared
                Phase     in use
                Held by   Ana Horvat (ana), turn 8, since at 2
                Previous  Bo Larsen (bo)
                Agent     present
                Browser   none
                Idle      no source (idle workers are not signed out)
                Last      Turn 7 of Bo Larsen (bo), at 20, contained, 1234 ms, org.example.Hung contained
                Apps      2 apps
                  org.example.WardList  in use  uid 1000  pid 44  claimed
                  org.example.Old       owed    uid 1000          claimed, owes since turn 3
                """)
    }

    @Test func `in personal mode status waits for no worker`() {
        var device = Fixtures.device
        device.mode = .personal
        device.phase = .ready
        let status = Fixtures.rendering.status(StatusReport(device: device))
        #expect(status.contains("\nPhase     not shared: workers do not sign in here\n"), "\(status)")
    }

    @Test func `status says what the agent has found, and what it cannot check`() {
        var device = Fixtures.device
        device.containment = .namespace
        device.browser = BrowserDescription(rawValue: "chromium 156")
        device.session = "x11"
        device.warnings = ["No print jobs: cancel is missing\u{1B}"]
        let status = Fixtures.rendering.status(StatusReport(device: device))
        for line in [
            "Agent     present, stops apps with proof: namespace", "Browser   chromium 156", "Session   x11",
            "Warning   No print jobs: cancel is missing?",
        ] { #expect(status.contains("\n\(line)\n"), "\(line)") }
    }

    @Test func `a receipt lists what was checked of the browser`() {
        var receipt = Fixtures.receipt
        receipt.browser = .failed
        receipt.browserChecks = [
            .init(holder: "processes", outcome: .clean, explanation: ""),
            .init(holder: "start page", outcome: .failed, explanation: "not painted"),
        ]
        let text = Fixtures.rendering.receipt(receipt)
        #expect(text.contains("\nBrowser: failed\n  processes clean\n  start page failed – not painted\n"))
        #expect(Fixtures.rendering.reset(receipt).contains("start page failed – not painted"))
    }

    @Test func `status names the provider where there is one`() {
        var device = Fixtures.device
        device.identity = .oidc
        device.issuer = "https://id.example/\u{1B}[2J"
        #expect(
            Fixtures.rendering.status(StatusReport(device: device)).contains(
                "\nAccounts  OpenID Connect, https://id.example/?[2J\n"))
        device.tenant = "ward"
        #expect(Fixtures.rendering.status(StatusReport(device: device)).contains(", tenant ward\n"))
    }

    @Test(arguments: [
        (ProviderOutcome.signedOut, "Provider: signed out"),
        (ProviderOutcome.told, "Provider: told, without proof that its session ended"),
        (ProviderOutcome.revoked, "Provider: tokens revoked; its log-out page waits for a person"),
        (ProviderOutcome.pending, "Provider: timed out; batond keeps trying"),
        (ProviderOutcome.refused, "Provider: refused the sign-out"),
        (ProviderOutcome.notTold, "Provider: not told: batond had no tokens to sign out with"),
    ])
    func `a receipt says what became of the sign-in at the provider`(outcome: ProviderOutcome, text: String) {
        var receipt = Fixtures.receipt
        receipt.provider = outcome
        #expect(Fixtures.rendering.receipt(receipt).contains("\n\(text)\n"))
        receipt.providerExplanation = "busy\nForged: line"
        #expect(Fixtures.rendering.receipt(receipt).contains("\n\(text) – busy?Forged: line\n"))
    }

    @Test func `a receipt counts the tokens, and says so when there may have been more`() {
        var receipt = Fixtures.receipt
        #expect(!Fixtures.rendering.receipt(receipt).contains("Tokens"))
        func expect(_ line: String, _ place: SourceLocation = #_sourceLocation) {
            #expect(Fixtures.rendering.receipt(receipt).contains("\n\(line)\n"), sourceLocation: place)
        }
        receipt.provider = .told
        expect("Tokens: none")
        receipt.tokens = [.init(app: "org.example.Till", uid: 1000, count: 3), .init(app: "", uid: 0, count: 7)]
        expect("Tokens: 3 to org.example.Till, 7 to other apps")
        receipt.tokensExplanation = "not counted\nForged"
        expect("Tokens: at least 3 to org.example.Till, 7 to other apps – not counted?Forged")
        receipt.tokens = []
        expect("Tokens: unchecked – not counted?Forged")
    }

    @Test func `status names who is slow, and why the device is quarantined`() {
        var device = Fixtures.device
        device.phase = .clearing
        var slow = Fixtures.apps[0]
        slow.slow = true
        let clearing = StatusReport(device: device, current: Fixtures.ana, participants: [slow])
        #expect(Fixtures.rendering.status(clearing).contains("clearing, waiting for org.example.WardList"))
        device.phase = .quarantined
        device.explanation = "the agent is away"
        let quarantined = StatusReport(device: device, participants: [])
        #expect(
            Fixtures.rendering.status(quarantined).contains(
                """
                Phase     quarantined: no worker can sign in
                Why       the agent is away
                Held by   none
                """))
    }

    @Test func `a receipt says of each app what became of it`() {
        #expect(
            Fixtures.rendering.receipt(Fixtures.receipt) == """
                Turn 7 – Bo Larsen (bo) – contained
                at 10, 1234 ms: the worker signed out
                  org.example.WardList  cleared    12 ms
                  org.example.Hung      contained  1200 ms  proof: cgroup  did not answer
                Owed from before: org.example.Old (turn 3)
                Browser: none
                Shared: clipboard clean
                Refused: 2 × NotRegistered from (not registered), :1.9
                """)
    }

    @Test func `what batonctl cannot read of a receipt it says`() {
        var receipt = Fixtures.receipt
        (receipt.participants, receipt.unreadable) = ([], ["participants", "debts"])
        let note = "This batonctl cannot read all of the receipt's participants, debts."
        let shown = Fixtures.rendering.receipt(receipt)
        #expect(shown.contains("\n\(note)\n") && !shown.contains(Text.nothingToClear))
        #expect(Fixtures.rendering.line(of: receipt).hasSuffix(", read in part"))
        #expect(Fixtures.rendering.reset(receipt).contains("Not proven: \(note)"))
        receipt.reason = nil
        #expect(Fixtures.rendering.receipt(receipt).contains(": for a reason that this batonctl does not know\n"))
    }

    @Test func `a sign-out ends with what it means`() {
        #expect(
            Fixtures.rendering.signedOut(Fixtures.receipt).hasSuffix(
                "The device is ready. Each app that did not answer was stopped and wiped."))
        #expect(Fixtures.rendering.signedOut(nil) == "No worker is signed in; there is nothing to do.")
    }

    @Test func `reset says what could not be proven`() {
        var receipt = Fixtures.receipt
        receipt.participants[1].outcome = .unproven
        receipt.shared[0].outcome = .failed
        #expect(
            Fixtures.rendering.reset(receipt) == """
                Not proven: org.example.Hung (did not answer); Shared: clipboard failed
                The quarantine is over; the device is ready.
                """)
        #expect(Fixtures.rendering.reset(nil, now: .inUse).contains("still signed in"))
        #expect(Fixtures.rendering.reset(nil, now: .ready).contains("There is no receipt"))
    }

    @Test func `progress tells only what changed`() {
        var before = Fixtures.apps[0]
        before.state = .clearing
        var after = before
        let rendering = Fixtures.rendering
        #expect(rendering.progress(from: [], to: [before]) == ["  org.example.WardList: clearing"])
        #expect(rendering.progress(from: [before], to: [after]).isEmpty)
        #expect(rendering.progress(from: [], to: [Fixtures.apps[1]]).isEmpty)
        after.slow = true
        #expect(rendering.progress(from: [before], to: [after]) == ["  org.example.WardList: clearing, slow"])
        after.slow = false
        after.state = .cleared
        #expect(rendering.progress(from: [before], to: [after]) == ["  org.example.WardList: cleared"])
    }

    @Test func `what others chose cannot steer the terminal`() {
        var app = Fixtures.apps[0]
        app.app = "org.example.\u{1B}[2JEvil\u{202E}\n"
        #expect(Fixtures.rendering.participants([app]).hasPrefix("org.example.?[2JEvil??  in use"))
    }

    @Test func `colour is only for terminals`() {
        #expect(Style.plain.bad("no") == "no")
        #expect(Style(isColored: true).bad("no") == "\u{1B}[31mno\u{1B}[0m")
    }

    @Test(arguments: [
        (DeviceEvent.appeared, "Baton is running."),
        (.signedIn(epoch: 8, account: Fixtures.ana), "Ana Horvat (ana) signed in (turn 8)."),
        (
            .signingOut(epoch: 8, account: Fixtures.ana, reason: .idle, deadline: 1),
            "Ana Horvat (ana) is leaving (turn 8): the device was idle."
        ),
        (
            .signingOut(epoch: 8, account: nil, reason: nil, deadline: 1),
            "The worker is leaving (turn 8): for a reason that this batonctl does not know."
        ),
        (.signedOut(epoch: 8, account: nil, outcome: .owed), "The worker is signed out (turn 8): owed."),
        (.phaseChanged(.ready), "Phase: ready for the next worker."),
    ])
    func `watch has a line for each event`(event: DeviceEvent, line: String) {
        #expect(Text.event(event) == line)
    }
}
