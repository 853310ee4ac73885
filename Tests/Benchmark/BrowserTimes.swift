import Baton
import BusTesting
import DBus
import FolderTesting
import Glibc
import KioskTesting
import ProviderTesting
import TerminalTesting

/// How long a worker waits for the browser: real batond, agent and Chromium on an Xvfb, all taking turns in one run.
struct BrowserTimes {
    let rounds: Int

    private var alone = Timings("Chromium alone, running without a window: until one of a plain page is painted")
    private var warm = Timings("SignOut to proven clean, with the spare", target: .milliseconds(400))
    private var provided = Timings("  the same, with a provider's log-out page in between")
    private var cold = Timings("SignOut to proven clean, without a spare", target: .milliseconds(1500))
    private var stopped = Timings(
        "SignOut to proven clean, every process of the worker's browser stopped", target: .milliseconds(700))
    private var inside = Timings(
        "a page goes to the provider's log-out, until SignedOut", target: .milliseconds(400))
    private var painted = Timings(
        "SignIn until the page with the worker's name is on the screen", target: .milliseconds(400))

    init(rounds: Int) { self.rounds = rounds }

    mutating func run() async throws {
        guard isOrdinaryUser, access(BrowserProcesses.executable, X_OK) == 0 else {
            let why = isOrdinaryUser ? "there is no \(BrowserProcesses.executable)" : "run it by Tests/as-ordinary-user"
            print("\nThe browser's figures are left out: \(why)")
            return
        }
        print("\nMedian of \(rounds) rounds each, Chromium on Xvfb:")
        let kiosk = try await LocalKiosk.start(hasSpare: true)
        let bare = try await LocalKiosk.start(hasSpare: false)
        let ward = try await KioskTerminal.start()
        let agent = try await ward.agent()
        let named = try await Self.pictureOfWorker(kiosk)
        do {
            for round in 1...rounds {
                try await roundAlone()
                try await roundWithSpare(kiosk, named)
                try await roundWithoutSpare(bare)
                // So that a run that is ended early has said something.
                if round == 1 { printLines() }
                try await roundAtProvider(ward, agent)
            }
            printLines()
            let ratio = Double(warm.median.milliseconds) / Double(max(1, alone.median.milliseconds))
            print(
                "  a sign-out with the spare takes \((ratio * 100).rounded() / 100) times what Chromium alone needs for its window"
            )
        } catch {
            printLines()
            throw error
        }
        try await memory(kiosk)
        try await barrier(kiosk)
    }

    private func printLines() {
        for timings in [alone, warm, provided, cold, stopped, inside, painted] { print(timings.line) }
    }

    // MARK: Rounds

    /// What the screen shows while Ana holds the device.
    private static func pictureOfWorker(_ kiosk: LocalKiosk) async throws -> Framebuffer.Picture {
        try await kiosk.settle()
        try await kiosk.signIn()
        try await kiosk.settle()
        let picture = try await kiosk.screen.stillPicture()
        try await kiosk.signOut()
        return picture
    }

    /// What no sign-out can undercut: the browser itself, with nobody in between.
    private mutating func roundAlone() async throws {
        let display = try VirtualDisplay()
        let home = try TemporaryFolder("alone")
        let browser = try PipedChromium(
            home: home.path, display: display.display, arguments: ["--no-startup-window", "--kiosk"])
        try await browser.call("Browser.getVersion")
        // As long as a spare has had for coming to rest.
        try await Task.sleep(for: .seconds(2))
        alone.add(try await ContinuousClock().measure { try await browser.showWindow("data:text/html,ready") })
        try await browser.close()
    }

    private mutating func roundWithSpare(_ kiosk: LocalKiosk, _ named: Framebuffer.Picture) async throws {
        for isStopped in [false, true] {
            try await kiosk.settle()
            painted.add(
                try await ContinuousClock().measure {
                    try await kiosk.signIn()
                    try await kiosk.screen.wait(for: named)
                })
            try await kiosk.settle()
            if isStopped { kiosk.browsers.first?.stop() }
            let time = try await ContinuousClock().measure { try await kiosk.signOut() }
            if isStopped { stopped.add(time) } else { warm.add(time) }
        }
    }

    private mutating func roundWithoutSpare(_ kiosk: LocalKiosk) async throws {
        try await kiosk.settle()
        try await kiosk.signIn()
        try await kiosk.settle()
        cold.add(try await ContinuousClock().measure { try await kiosk.signOut() })
    }

    private mutating func roundAtProvider(_ ward: KioskTerminal, _ agent: AgentProcess) async throws {
        try await LocalKiosk.settle(agent, browsers: 2)
        try await ward.signIn(DevelopmentProviderProcess.ana)
        try await LocalKiosk.settle(agent, browsers: 2)
        provided.add(
            try await ContinuousClock().measure { _ = try LocalKiosk.proven(try await ward.device.signOut().receipt) })

        try await LocalKiosk.settle(agent, browsers: 2)
        try await ward.signIn(DevelopmentProviderProcess.ben)
        try await LocalKiosk.settle(agent, browsers: 2)
        let listener = try await Peer(ward.terminal)
        var outs = try await listener.signals(Device1.signedOut).makeAsyncIterator()
        inside.add(
            try await ContinuousClock().measure {
                try await ward.site.send(KioskTerminal.page, to: "\(ward.provider.issuer)/logout")
                guard try await outs.next()?.values.2 == Outcome.cleared.rawValue else {
                    throw TestingError("not proven clean")
                }
            })
        withExtendedLifetime(listener) {}
    }

    // MARK: Beside the times

    private func memory(_ kiosk: LocalKiosk) async throws {
        try await kiosk.settle()
        let browsers = kiosk.browsers
        // The agent lets nobody look into it, but its resident size is no secret.
        print(
            "Memory on the start page: baton-agent \(Program.residentMemory(of: kiosk.agent.pid) / 1024) MiB resident; "
                + "proportional set sizes:"
        )
        for (name, pids) in [
            ("the browser in front", browsers.first?.pids ?? []),
            ("the spare", browsers.last?.pids ?? []),
        ] {
            let (size, unknown) = BrowserProcesses.memory(of: pids)
            let remark = unknown == 0 ? "" : ", \(unknown) of them not readable"
            print("  \(name): \(size / 1024) MiB in \(pids.count) processes\(remark)")
        }
    }

    /// An app that takes its time: the browser is signed out meanwhile, and adds nothing when the app takes longer.
    private func barrier(_ kiosk: LocalKiosk) async throws {
        print("The whole sign-out beside an app that acknowledges after a while:")
        let app = try await Peer(kiosk.terminal)
        let registration = try await app.register("org.example.Slow")
        for delay in [0, 500, 1000, 1500] {
            var whole = Timings("an app that takes \(delay) ms")
            for _ in 1...max(1, min(rounds, 5)) {
                try await kiosk.settle()
                try await kiosk.signIn()
                try await kiosk.settle()
                let signingOut = try await app.signals(Device1.signingOut)
                async let acknowledged: Void = {
                    for try await signal in signingOut {
                        try await Task.sleep(for: .milliseconds(delay))
                        try await app.acknowledge(signal.values.0, registration.instance)
                        break
                    }
                }()
                whole.add(try await ContinuousClock().measure { try await kiosk.signOut() })
                try await acknowledged
            }
            print(whole.line)
        }
    }
}
