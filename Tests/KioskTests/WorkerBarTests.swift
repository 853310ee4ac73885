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
    private static let accent: UInt32 = 0xffc733

    @Test func `it is there while a worker holds the device, and signs them out if they mean it`() async throws {
        let display = try VirtualDisplay()
        let client = try XClient(display.display)
        let terminal = try Terminal(settings: "")
        let daemon = try terminal.run(["batond", "--session"], environment: ["DISPLAY": display.display])
        try await daemon.line(containing: "] ready")
        try await daemon.line(containing: "the agent has registered")
        let (peer, device) = (try await Peer(terminal), try await terminal.device())
        func isShown() throws -> Bool { try client.picture()[Self.ground] ?? 0 > 5000 }
        func click(x: Int) async throws {
            let tool = try ChildProcess(
                ["xdotool", "mousemove", "\(x)", "774", "click", "1"], environment: ["DISPLAY": display.display])
            #expect(await tool.end().status == 0)
        }
        #expect(try !isShown())
        try await peer.signIn("ana", pin: "1234")
        try await eventually { try isShown() }
        #expect(try await terminal.batonctl("lock").status == 0)
        try await eventually { try !isShown() }
        #expect(try await terminal.batonctl("unlock", "--pin-stdin", input: "1234\n").status == 0)
        try await eventually { try isShown() }
        // A touch by accident, and a second one at the same place.
        try await click(x: 348)
        try await eventually { try client.picture()[Self.accent] ?? 0 > 1000 }
        try await click(x: 348)
        try await eventually { try client.picture()[Self.accent] == nil }
        #expect(try await peer.phase() == "in-use")
        try await click(x: 348)
        try await eventually { try client.picture()[Self.accent] ?? 0 > 1000 }
        try await click(x: 208)
        try await peer.waitForPhase(.ready)
        #expect(try await device.receipts(newest: 1).first?.reason == .user)
        try await eventually { try !isShown() }
        // The next worker has theirs.
        try await peer.signIn("bo", pin: "5678")
        try await eventually { try isShown() }
    }
}
