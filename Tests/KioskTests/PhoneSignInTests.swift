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
    /// Keys that come before the browser has the keyboard go nowhere. They are pressed once: on the page that shows a code they would
    /// mean something else.
    private func askForCode(on kiosk: KioskTerminal) async throws {
        try await eventually {
            let focused = try await xdotool(["getwindowfocus", "getwindowname"], on: kiosk)
            return focused.output.contains("Shared terminal")
        }
        // From the page's upper corner on: six languages, the provider's button, and this one.
        let keys = Array(repeating: "Tab", count: 8) + ["Return"]
        let pressed = try await xdotool(
            ["mousemove", "2", "2", "click", "1", "key", "--delay", "30"] + keys, on: kiosk)
        #expect(pressed.status == 0, "\(pressed.output)")
        try await eventually { try await kiosk.device.deviceInformation().phase == .signingIn }
    }

    private func xdotool(_ arguments: [String], on kiosk: KioskTerminal) async throws -> (output: String, status: Int32)
    {
        await (try ChildProcess(["xdotool"] + arguments, environment: kiosk.display)).end()
    }

    @Test func `the page shows a code, which signs its worker in`() async throws {
        let kiosk = try await KioskTerminal.start(settings: Terminal.patient + "\nstart-page: {phone: true}\n")
        try await kiosk.daemon.telling {
            try await kiosk.device.awaitStartPage()
            try await askForCode(on: kiosk)
            try await eventually {
                try await kiosk.provider.control("approve", ["username": .string("ana")])?["approved"] == 1
            }
            try await eventually { try await kiosk.device.getCurrentAccount().current?.username != nil }
        }
        #expect(try await kiosk.device.deviceInformation().phase == .inUse)
    }
}
