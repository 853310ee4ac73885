import BusTesting
import KioskTesting
import Synchronization

/// Whether a page has told of a key that it heard.
final class HeardKey: Sendable {
    /// Has a page ask for `path` at the first key.
    static let script = "addEventListener('keydown', () => fetch('/heard'), {once: true})"
    static let path = "/heard"

    private let state = Mutex(false)
    var isHeard: Bool { state.withLock { $0 } }
    func hear() { state.withLock { $0 = true } }

    /// Presses a key that types nothing until the page hears it.
    ///
    /// Chromium drops keys until the first picture of a page is on the screen, though the page has drawn it and has the focus.
    func wait(on display: VirtualDisplay) async throws {
        try await eventually {
            try await display.press("shift")
            return isHeard
        }
    }
}
