import Baton
import BatonContract
import BusTesting
import DBus
import Glibc
import KioskTesting
import LocalAccounts
import Secrets
import TerminalTesting

/// The terminal's day: how soon a worker sees what happens, how exactly idle time is measured, and what the agent does while the
/// terminal is not touched. Real batond, agent and Chromium on an Xvfb.
struct DayTimes {
    let rounds: Int

    private static let idle = Duration.seconds(7)
    private static let countdown = Duration.seconds(5)

    private var seen = Timings("the signal SignedIn, until the worker stands on the screen")
    private var late = Timings("AutomaticSignOutPending, after its time", target: .milliseconds(250))
    private var covered = Timings("Lock, until all is covered", target: .milliseconds(100), forMost: true)
    private var back = Timings(
        "Unlock with the account's PIN, until the worker's windows are on the screen", target: .milliseconds(300))
    private var hash = Timings("  beside that: a PIN's hash (scrypt); this terminal's accounts have a light one")

    init(rounds: Int) { self.rounds = rounds }

    mutating func run() async throws {
        guard isOrdinaryUser, access(BrowserProcesses.executable, X_OK) == 0 else {
            print("\nThe day's figures are left out: they need Chromium and an ordinary user (Tests/as-ordinary-user)")
            return
        }
        print("\nThe terminal's day, median of \(rounds) rounds each, Chromium on Xvfb:")
        let kiosk = try await LocalKiosk.start(hasSpare: true)
        let agent = kiosk.agent.pid
        try await kiosk.settle()
        try await kiosk.signIn()
        try await kiosk.settle()
        let worker = try await kiosk.screen.stillPicture()
        try await roundsOfLock(kiosk, worker)
        // Threads that have nothing to do end after some seconds.
        let quiet = [
            try await IdleWindows.count(of: agent, in: .seconds(10)),
            try await IdleWindows.count(of: agent, in: .seconds(10)),
            try await IdleWindows.count(of: agent, in: .seconds(10)),
        ]
        try await kiosk.signOut()
        for _ in 1...rounds {
            try await kiosk.settle()
            var ins = try await kiosk.peer.signals(Device1.signedIn).makeAsyncIterator()
            async let signingIn: Void = kiosk.signIn()
            _ = try await ins.next()
            let start = ContinuousClock.now
            try await kiosk.screen.wait(for: worker)
            seen.add(ContinuousClock.now - start)
            try await signingIn
            try await kiosk.settle()
            try await kiosk.signOut()
        }
        print("  wake-ups of the agent, of its own threads and of libdispatch's (Tests/Benchmark/IdleWindows.swift):")
        print("    in a turn that is not touched, in 10 s each: \(Self.list(quiet)), target 0")
        let counting = try await roundsOfIdle()
        print("    in the first second of a countdown, with the panel's start: \(Self.list(counting.first))")
        print("    in each later second of one: \(Self.list(counting.later)), target 1")
        var page = PageTimes(rounds: rounds)
        try await page.run()
        for timings in page.all + [seen, late, covered, back, hash] { print(timings.line) }
    }

    private static func list(_ counts: [IdleWindows.Count]) -> String { counts.map { "\($0)" }.joined(separator: ", ") }

    private mutating func roundsOfLock(_ kiosk: LocalKiosk, _ worker: Framebuffer.Picture) async throws {
        let device = try await kiosk.terminal.device()
        let typed = Secret(Array("1234".utf8))
        let real = try PINHash.make(pin: typed)
        for _ in 1...rounds {
            covered.add(try await ContinuousClock().measure { try await device.lock() })
            let pin = try OwnedDescriptor(owning: PINDescriptor.sealed(typed))
            back.add(
                try await ContinuousClock().measure {
                    try await device.unlock(pin: pin)
                    try await kiosk.screen.wait(for: worker)
                })
            hash.add(ContinuousClock().measure { _ = real.verify(pin: typed) })
            // The agent may still be about to show the screen.
            try await kiosk.settle()
        }
    }

    /// - Returns: How often the agent woke up in each of some seconds of a countdown.
    private mutating func roundsOfIdle() async throws -> (first: [IdleWindows.Count], later: [IdleWindows.Count]) {
        let kiosk = try await LocalKiosk.start(
            hasSpare: false,
            settings: Terminal.patient + "automatic-sign-out: {idle: 7s, countdown: 5s}\n")
        try await kiosk.settle()
        try await kiosk.signIn()
        try await kiosk.settle()
        var pending = try await kiosk.peer.signals(Device1.automaticSignOutPending).makeAsyncIterator()
        var counts: (first: [IdleWindows.Count], later: [IdleWindows.Count]) = ([], [])
        for round in 1...rounds {
            try await kiosk.display.xdotool("key", "shift")
            let start = ContinuousClock.now
            guard try await pending.next() != nil else { throw TestingError("no countdown") }
            late.add(ContinuousClock.now - start - (Self.idle - Self.countdown))
            guard round <= 3 else { continue }
            counts.first.append(try await IdleWindows.count(of: kiosk.agent.pid, in: .seconds(1)))
            for _ in 1...2 { counts.later.append(try await IdleWindows.count(of: kiosk.agent.pid, in: .seconds(1))) }
        }
        return counts
    }
}
