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
    private func press(_ keys: [String], on kiosk: KioskTerminal) async throws {
        let tool = try ChildProcess(["xdotool", "key", "--delay", "30"] + keys, environment: kiosk.display)
        #expect(await tool.end().status == 0)
    }

    @Test func `the page shows a code, which signs its worker in`() async throws {
        let kiosk = try await KioskTerminal.start(settings: Terminal.patient + "\nstart-page: {phone: true}\n")
        try await kiosk.device.awaitStartPage()
        // Six languages, the provider's button, and this one.
        try await press(Array(repeating: "Tab", count: 8) + ["Return"], on: kiosk)
        try await eventually { try await kiosk.device.deviceInformation().phase == .signingIn }
        try await eventually {
            try await kiosk.provider.control("approve", ["username": .string("ana")])?["approved"] == 1
        }
        try await eventually { try await kiosk.device.getCurrentAccount().current?.username != nil }
        #expect(try await kiosk.device.deviceInformation().phase == .inUse)
    }
}
