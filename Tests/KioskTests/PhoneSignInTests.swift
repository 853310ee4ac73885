import Baton
import BusTesting
import Glibc
import KioskTesting
import ProviderTesting
import TerminalTesting
import Testing
import WebText

/// A worker at the start page of a real browser who signs in with another device.
@Suite(
    .asOrdinaryUser, .timeLimit(.minutes(2)),
    .enabled(if: access("/usr/bin/xdotool", X_OK) == 0, "needs xdotool"))
struct PhoneSignInTests {
    /// Keys that come before the browser has the keyboard go nowhere: then once more, from the page's upper corner on.
    private func askForCode(on kiosk: KioskTerminal) async throws {
        // Six languages, the provider's button, and this one.
        let keys = Array(repeating: "Tab", count: 8) + ["Return"]
        try await eventually {
            let tool = try ChildProcess(
                ["xdotool", "mousemove", "2", "2", "click", "1", "key", "--delay", "30"] + keys,
                environment: kiosk.display)
            #expect(await tool.end().status == 0)
            let end = ContinuousClock.now + .seconds(5)
            while ContinuousClock.now < end {
                if try await kiosk.device.deviceInformation().phase == .signingIn { return true }
                try await Task.sleep(for: .milliseconds(20))
            }
            return false
        }
    }

    @Test func `the page shows a code, which signs its worker in`() async throws {
        let kiosk = try await KioskTerminal.start(settings: Terminal.patient + "\nstart-page: {phone: true}\n")
        try await kiosk.device.awaitStartPage()
        try await askForCode(on: kiosk)
        try await eventually {
            try await kiosk.provider.control("approve", ["username": .string("ana")])?["approved"] == 1
        }
        try await eventually { try await kiosk.device.getCurrentAccount().current?.username != nil }
        #expect(try await kiosk.device.deviceInformation().phase == .inUse)
    }
}
