import BusTesting
import Display
import KioskTesting
import LinuxSystem
import Testing

@Suite(.asOrdinaryUser, .timeLimit(.minutes(2))) struct XMemoryTests {
    private static let text = "Bed12AnaHorvat"

    /// Texts of all lengths, each in the place of the one before.
    private func work(on display: VirtualDisplay) async throws {
        let client = try XClient(display.display)
        for window in 0..<5 {
            let shown = client.showWindow()
            for length in 0..<20 {
                let rest = String(repeating: "x", count: (window * 20 + length) * 23)
                client.name(shown, rest + Self.text + rest)
            }
        }
        #expect(await isKnown(to: display))
    }

    private func isKnown(to display: VirtualDisplay) async -> Bool {
        await !LeakProbe(Self.text).processes(only: [display.pid]).places.isEmpty
    }

    @Test func `what the windows of a turn were called is not left in the X server's memory`() async throws {
        let display = try VirtualDisplay()
        let session = await SessionDisplay(environment: ["DISPLAY": display.display])
        try await work(on: display)
        await session.forgetWindows(limit: TimeLimit(.seconds(60)))
        #expect(await !isKnown(to: display))
    }

    @Test func `a server that is gone is not waited for`() async throws {
        let display = try VirtualDisplay()
        let session = await SessionDisplay(environment: ["DISPLAY": display.display])
        display.kill()
        await session.forgetWindows(limit: TimeLimit(.seconds(3600)))
    }
}
