import Browsers
import BusTesting
import FolderTesting
import Glibc
import KioskTesting
import LinuxSystem
import Testing

@testable import Agent

extension FirefoxTests {
    /// Real keys on a free terminal, under a compositor: an X server alone gives no window the keys.
    @Suite(.enabled(if: WaylandKeyboard.isInstalled, "needs sway and wtype")) struct KeyTests {
        @Test func `no key opens anything that stays, and the page takes a name and a PIN after each`() async throws {
            try await FreeFirefox.run { terminal in
                // Nothing was clicked: the page has the keys from the beginning.
                try await terminal.type("ana", in: "username")
                for (number, key) in (FreePage.keys + FreePage.closingKeys).enumerated() {
                    try await terminal.keyboard.press(key)
                    try await eventually { try await terminal.isAlone }
                    try await terminal.type("after \(number)", in: "username")
                }
                try await terminal.signIn("ana", pin: "1234")
                try await eventually { try await terminal.isAlone }
            }
        }

        @Test func `an address that is typed is text of the page, wherever the keys try to put it`() async throws {
            let site = try await LoopbackSite(["/": .init(body: "in")])
            let address = "\(site.outside)/"
            try await FreeFirefox.run { terminal in
                for key in ["ctrl+l", "ctrl+k", "alt+d", "F6", "ctrl+t"] {
                    try await terminal.type("a", in: "username")
                    try await terminal.keyboard.press("ctrl+a", key)
                    try await eventually { try await terminal.isAlone }
                    try await terminal.type(address, in: "username")
                    try await terminal.keyboard.press("Return")
                    try await terminal.untilWished(.signIn(username: address, pin: ""))
                }
                #expect(site.requested.isEmpty)
                // It can be reached: in a turn it is.
                let firefox = try #require(await terminal.browsers.front?.browser)
                try await firefox.limit(to: .turn)
                try await firefox.open(address)
                try await eventually { site.requested.contains("GET /") }
            }
        }

        @Test func `a page whose process ends is back in the same browser, and takes a name and a PIN`() async throws {
            try await FreeFirefox.run { terminal in
                try await terminal.type("ana", in: "username")
                let instance = try #require(await terminal.browsers.front)
                for pid in KioskTerminal.browserProcesses() where isPage(pid) { kill(pid, SIGKILL) }
                try await eventually { await terminal.evaluate("document.getElementById('username').value") == "" }
                try await terminal.signIn("bo", pin: "5678")
                #expect(await terminal.browsers.front === instance)
                try await eventually { try await terminal.isAlone }
            }
        }

        @Test func `words about a sign-in are gone when a worker is signed in`() async throws {
            try await FreeFirefox.run(answer: "The PIN is wrong.") { terminal in
                let message = { await terminal.evaluate("document.getElementById('message').textContent") }
                try await terminal.signIn("ana", pin: "9999")
                try await eventually { await message() == "The PIN is wrong." }
                await terminal.desk.change { $0.phase = "in-use" }
                try await eventually { await message() == "" }
            }
        }

        private func isPage(_ pid: Int32) -> Bool {
            let words = String((contents("/proc/\(pid)/cmdline") ?? "").map { $0 == "\0" ? " " : $0 })
            return words.contains(" -contentproc ") && words.split(separator: " ").last == "tab"
        }
    }
}
