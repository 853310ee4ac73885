import Baton
import BusTesting
import FolderTesting
import Glibc
import KioskTesting
import ProviderTesting
import Synchronization
import TerminalTesting
import Testing
import WebText

/// A terminal on a real display whose worker goes away: what a person sees, types and clicks.
@Suite(
    "A locked terminal", .asOrdinaryUser, .serialized, .timeLimit(.minutes(2)),
    .enabled(if: access("/usr/bin/xdotool", X_OK) == 0, "needs xdotool"))
struct LockedTerminalTests {
    /// Ana is signed in, and has a red window.
    private func place(_ settings: String = "") async throws -> BareTerminal {
        let place = try await BareTerminal.start(settings)
        try await place.peer.signIn("ana", pin: "1234")
        place.client.showWindow()
        try await eventually { try place.showsWorker }
        return place
    }

    @Test func `a worker locks the screen, and comes back with their PIN`() async throws {
        let place = try await place()
        let (status, output) = try await place.terminal.batonctl("lock")
        #expect(status == 0, "\(output)")
        // The answer comes when all is covered.
        #expect(try !place.showsWorker)
        #expect(try await place.isLocked)
        #expect(try await place.terminal.batonctl("status").output.contains("locked, sign-out in"))
        try await place.press("a", "x", "Return")
        try await place.typePIN("9", "9", "9", "9")
        #expect(try await place.isLocked)
        #expect(try !place.showsWorker)
        try await place.typePIN("1", "2", "3", "4")
        try await eventually { try await !place.isLocked }
        try await eventually { try place.showsWorker }
        #expect(try await place.peer.phase() == "in-use")
        // What was typed meanwhile has reached no window.
        #expect(place.client.keys().isEmpty)
    }

    @Test func `batonctl unlocks too, and says what is wrong`() async throws {
        let place = try await place()
        #expect(
            try await place.terminal.batonctl("unlock", "--pin-stdin", input: "1234\n").output.contains("not locked"))
        #expect(
            try await place.terminal.batonctl("lock", "--pin-stdin", input: "555555\n").output.contains("has its own"))
        #expect(try await place.terminal.batonctl("lock", "--json").output.contains("\"locked\" : true"))
        let wrong = try await place.terminal.batonctl("unlock", "--pin-stdin", input: "0000\n")
        #expect(wrong.status != 0 && wrong.output.contains("PIN is wrong"))
        #expect(try await place.terminal.batonctl("unlock", "--pin-stdin", input: "1234\n").status == 0)
        try await eventually { try place.showsWorker }
    }

    @Test func `five wrong PINs sign the worker out, and no frame shows their windows`() async throws {
        let place = try await place()
        #expect(try await place.terminal.batonctl("lock").status == 0)
        for _ in 1...5 { try await place.typePIN("9", "9", "9", "9") }
        // Each is looked at before the next one is typed, or its digits are none.
        try await eventually {
            let showsWorker = try place.showsWorker
            let phase = try await place.peer.phase()
            // After the sign-out the cover goes, and this test's own window is still there.
            if phase != "ready" { #expect(!showsWorker) }
            guard phase == "in-use" else { return true }
            try await place.typePIN("9", "9", "9", "9")
            return false
        }
        try await place.peer.waitForPhase(.ready)
        #expect(try await place.device.receipts(newest: 1).first?.reason == .lock)
    }

    @Test func `what is in the clipboard opens no lock, and is there when its worker is back`() async throws {
        let place = try await place()
        let environment = ["DISPLAY": place.display.display]
        // The PIN itself, as selection and clipboard; each owner goes when another program has it.
        for selection in ["primary", "clipboard"] {
            let owner = try ChildProcess(
                ["sh", "-c", "printf 1234 | xclip -selection \(selection) >/dev/null 2>&1"], environment: environment)
            #expect(await owner.end().status == 0)
        }
        func clipboard() async throws -> String {
            let reader = try ChildProcess(["xclip", "-o", "-selection", "clipboard"], environment: environment)
            return await reader.end().output
        }
        #expect(try await clipboard() == "1234")
        #expect(try await place.terminal.batonctl("lock").status == 0)
        // None of these is a wrong PIN, of which the fifth would end the turn.
        for key in ["ctrl+v", "shift+Insert", "ctrl+shift+v", "alt+e", "super+v"] {
            try await place.press(key, "Return")
        }
        // Where the PIN is typed, with the middle button.
        try await place.display.xdotool("mousemove", "640", "400", "click", "2")
        try await place.press("Return", "ctrl+a", "ctrl+c")
        #expect(try await place.isLocked)
        #expect(try !place.showsWorker)
        #expect(try await clipboard() == "1234")
        try await place.typePIN("1", "2", "3", "4")
        try await eventually { try place.showsWorker }
        #expect(place.client.keys().isEmpty)
        #expect(try await clipboard() == "1234")
    }

    @Test func `a lock that lasts too long signs the worker out`() async throws {
        let place = try await place("automatic-sign-out: {lock-grace: 2s}\n")
        #expect(try await place.terminal.batonctl("lock").status == 0)
        try await place.peer.waitForPhase(.ready)
        #expect(try await place.device.receipts(newest: 1).first?.reason == .lock)
    }

    @Test func `somebody else signs the worker out at the lock`() async throws {
        let place = try await place()
        #expect(try await place.terminal.batonctl("lock").status == 0)
        // In the middle of the last button, on a screen of 1280 by 800 with a panel of 460 by 630.
        try await place.display.click(640, 644)
        try await place.peer.waitForPhase(.ready)
        #expect(try await place.device.receipts(newest: 1).first?.reason == .user)
    }

    @Test func `a screen that is not touched is locked by itself`() async throws {
        let place = try await place("automatic-sign-out: {idle: 60s, countdown: 10s, lock: 1s}\n")
        try await eventually { try await place.isLocked }
        #expect(try !place.showsWorker)
        try await place.typePIN("1", "2", "3", "4")
        try await eventually { try place.showsWorker }
    }

    @Test func `a killed agent shows nothing of the worker, and the next one goes on with the lock`() async throws {
        let place = try await place()
        #expect(try await place.terminal.batonctl("lock").status == 0)
        let (daemon, agent) = (place.daemon, try await AgentProcess(of: place.daemon, on: place.terminal))
        let isBack = Flag()
        async let back: Void = {
            defer { isBack.set() }
            try await daemon.line(containing: "the agent has registered", count: 2)
        }()
        // While batond stands still no next agent comes, so that there are pictures without one.
        kill(daemon.pid, SIGSTOP)
        kill(agent.pid, SIGKILL)
        try await eventually { contents("/proc/\(agent.pid)/stat")?.contains(") Z ") ?? true }
        for _ in 0..<5 { #expect(try !place.showsWorker) }
        kill(daemon.pid, SIGCONT)
        while !isBack.isSet {
            #expect(try !place.showsWorker)
            await Task.yield()
        }
        try await back
        // And a while longer.
        for _ in 0..<20 { #expect(try !place.showsWorker) }
        try await eventually {
            try await place.typePIN("1", "2", "3", "4")
            return try await !place.isLocked
        }
        try await eventually { try place.showsWorker }
        #expect(try await place.peer.phase() == "in-use")
    }

    @Test func `a killed batond finds the screen locked`() async throws {
        let place = try await place()
        #expect(try await place.terminal.batonctl("lock").status == 0)
        await place.daemon.kill()
        #expect(try !place.showsWorker)
        let next = try place.terminal.run(["batond", "--session"], environment: ["DISPLAY": place.display.display])
        try await next.line(containing: "the agent has registered")
        for _ in 0..<20 { #expect(try !place.showsWorker) }
        #expect(try await place.isLocked)
        try await eventually {
            try await place.typePIN("1", "2", "3", "4")
            return try await !place.isLocked
        }
        try await eventually { try place.showsWorker }
        withExtendedLifetime(next) {}
    }

    @Test func `a worker of a provider chooses a PIN for the turn, which is gone with it`() async throws {
        let kiosk = try await KioskTerminal.start()
        _ = try await kiosk.signIn(DevelopmentProviderProcess.ana)
        let unasked = try await kiosk.terminal.batonctl("lock")
        #expect(unasked.status != 0 && unasked.output.contains("Choose a PIN of 4 to 12 digits"))
        for pin in ["123", "12a4", "1234567890123"] {
            let unfit = try await kiosk.terminal.batonctl("lock", "--pin-stdin", input: pin + "\n")
            #expect(unfit.status != 0 && unfit.output.contains("4 to 12 digits"))
        }
        #expect(try await kiosk.device.deviceInformation().lockEnds == 0)
        #expect(try await kiosk.terminal.batonctl("lock", "--pin-stdin", input: "246810\n").status == 0)
        #expect(try await kiosk.device.deviceInformation().lockEnds > 0)
        #expect(try await kiosk.terminal.batonctl("unlock", "--pin-stdin", input: "1234\n").output.contains("wrong"))
        #expect(try await kiosk.terminal.batonctl("unlock", "--pin-stdin", input: "246810\n").status == 0)
        #expect(try await kiosk.device.deviceInformation().lockEnds == 0)
        // Once chosen it stays, and no program changes it.
        let again = try await kiosk.terminal.batonctl("lock", "--pin-stdin", input: "999999\n")
        #expect(again.status != 0 && again.output.contains("has a PIN already"))
        #expect(try await kiosk.terminal.batonctl("lock").status == 0)
        _ = try await kiosk.device.signOut()
        try await kiosk.waitUntilReady()
        _ = try await kiosk.signIn(DevelopmentProviderProcess.ana)
        #expect(try await kiosk.terminal.batonctl("lock").status != 0)
    }

    @Test func `a worker of a provider who chooses no PIN comes back by phone, and no other account does`() async throws
    {
        let kiosk = try await KioskTerminal.start(
            settings: Terminal.patient + "\nstart-page: {phone: true}\n",
            provider: ["--misbehave", "revocation-ends-all"])
        _ = try await kiosk.signIn(DevelopmentProviderProcess.ana)
        let unasked = try await kiosk.terminal.batonctl("lock")
        #expect(unasked.status != 0 && unasked.output.contains("Choose a PIN of 4 to 12 digits"))
        #expect(try await kiosk.terminal.batonctl("lock", "--without-pin").status == 0)
        #expect(
            try await kiosk.terminal.batonctl("unlock", "--pin-stdin", input: "1234\n").output.contains("No PIN"))
        // At the lock, by keys alone. Another worker's phone opens nothing.
        try await askAtLock(kiosk, number: 1)
        try await approve("ben", kiosk)
        try await askAtLock(kiosk, number: 2)
        #expect(try await kiosk.isLocked)
        try await kiosk.press("Escape")
        try await askAtLock(kiosk, number: 3)
        try await approve("ana", kiosk)
        try await eventually { try await !kiosk.isLocked }
        #expect(try await kiosk.device.getCurrentAccount().current?.username == "ana")
        // What she showed herself with has cost the turn nothing.
        #expect(try await kiosk.provider.state("live_refresh_tokens") == 1)
        #expect(try await kiosk.device.deviceInformation().phase == .inUse)
    }

    /// Until the provider has been asked for so many codes: a key that is pressed while one is waited for does nothing.
    private func askAtLock(_ kiosk: KioskTerminal, number: Int64) async throws {
        try await eventually {
            try await kiosk.press("Return")
            return try await kiosk.provider.state("device-authorization") == number
        }
    }

    private func approve(_ name: String, _ kiosk: KioskTerminal) async throws {
        try await eventually {
            try await kiosk.provider.control("approve", ["username": .string(name)])?["approved"]?.integer ?? 0 > 0
        }
    }
}

extension KioskTerminal {
    fileprivate var isLocked: Bool { get async throws { try await device.deviceInformation().lockEnds > 0 } }

    fileprivate func press(_ key: String) async throws {
        let tool = try ChildProcess(["xdotool", "key", key], environment: display)
        #expect(await tool.end().status == 0)
    }
}

private final class Flag: Sendable {
    private let state = Mutex(false)
    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
}

extension BareTerminal {
    fileprivate var showsWorker: Bool { get throws { try client.picture()[XClient.red] ?? 0 > 0 } }
    fileprivate var isLocked: Bool { get async throws { try await device.deviceInformation().lockEnds > 0 } }

    fileprivate func press(_ keys: String...) async throws { try await display.xdotool(["key"] + keys) }

    fileprivate func typePIN(_ digits: String...) async throws {
        for digit in digits { try await press(digit) }
        try await press("Return")
    }
}
