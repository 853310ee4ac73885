import Baton
import BusTesting
import Glibc
import KioskTesting
import TerminalTesting
import Testing

/// The bar above what a worker does, on a real display and without a browser of Baton's.
@Suite(
    "The worker's bar", .asOrdinaryUser, .serialized, .timeLimit(.minutes(1)),
    .enabled(if: access("/usr/bin/xdotool", X_OK) == 0, "needs xdotool"))
struct WorkerBarTests {
    /// Of the bar, and of the button that signs out.
    private static let ground: UInt32 = 0x111721
    private static let accent: UInt32 = 0x6095c9

    @Test func `it is there while a worker holds the device, and signs them out if they mean it`() async throws {
        let place = try await BareTerminal.start()
        let (display, client, terminal) = (place.display, place.client, place.terminal)
        let (peer, device) = (place.peer, place.device)
        func isShown() throws -> Bool { try client.picture()[Self.ground] ?? 0 > 5000 }
        #expect(try !isShown())
        try await peer.signIn("ana", pin: "1234")
        try await eventually { try isShown() }
        #expect(try await terminal.batonctl("lock").status == 0)
        try await eventually { try !isShown() }
        #expect(try await terminal.batonctl("unlock", "--pin-stdin", input: "1234\n").status == 0)
        try await eventually { try isShown() }
        // A touch by accident, and a second one at the same place.
        try await display.click(348, 774)
        try await eventually { try client.picture()[Self.accent] ?? 0 > 1000 }
        try await display.click(348, 774)
        try await eventually { try client.picture()[Self.accent] == nil }
        #expect(try await peer.phase() == "in-use")
        try await display.click(348, 774)
        try await eventually { try client.picture()[Self.accent] ?? 0 > 1000 }
        try await display.click(208, 774)
        try await peer.waitForPhase(.ready)
        #expect(try await device.receipts(newest: 1).first?.reason == .user)
        try await eventually { try !isShown() }
        // The next worker has theirs.
        try await peer.signIn("bo", pin: "5678")
        try await eventually { try isShown() }
    }
}
