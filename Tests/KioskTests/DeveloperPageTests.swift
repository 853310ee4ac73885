import Baton
import BusTesting
import Glibc
import KioskTesting
import TerminalTesting
import Testing

/// The start page's part for people who write apps, in the browser of a real agent, with a real batond.
@Suite(
    "The developers' part of the page", .asOrdinaryUser, .timeLimit(.minutes(2)),
    .enabled(if: access("/usr/lib/chromium/chromium", X_OK) == 0, "needs chromium"),
    .enabled(if: AgentPage.isShown, "needs a checkout outside of /tmp, which sandboxes do not show"))
struct DeveloperPageTests {
    /// A button of that part, by the member that it calls.
    private func press(_ member: String, on page: AgentPage) async throws {
        _ = try await page.value(
            of: "for (const one of document.querySelectorAll('#members button')) one.id = 'call-' + one.textContent")
        try await page.press("#call-\(member)")
    }

    /// The newest line of the log is that member's; what it says.
    private func line(of member: String, on page: AgentPage) async throws -> String {
        var text = ""
        try await eventually {
            text = try await page.value(of: "document.querySelector('#log li')?.innerText ?? ''")
            return text.contains("→ \(member) ")
        }
        return text
    }

    @Test func `each of its buttons makes its call, and what they showed ends with the turn`() async throws {
        let display = try VirtualDisplay()
        let page = AgentPage()
        let terminal = try Terminal(
            settings: "browser: {\(page.settings), spare: false}\nstart-page: {developer: true}\n" + Terminal.patient)
        let daemon = try terminal.run(["batond", "--session"], environment: ["DISPLAY": display.display])
        try await daemon.line(containing: "the agent has registered")
        let device = try await terminal.device()
        try await device.awaitStartPage()

        try await press("GetDeviceMode", on: page)
        #expect(try await line(of: "GetDeviceMode", on: page).hasSuffix(" shared"))
        try await press("GetDeviceInformation", on: page)
        let information = try await line(of: "GetDeviceInformation", on: page)
        #expect(information.contains("phase: ready") && information.contains("identity: local"), "\(information)")
        try await press("GetCurrentAccount", on: page)
        #expect(try await line(of: "GetCurrentAccount", on: page).contains("no account"))
        #expect(try await page.value(of: "document.getElementById('account').innerText") == "")
        let closed = "[...document.querySelectorAll('#members button:disabled')].map(one => one.textContent).join()"
        #expect(try await page.value(of: closed) == "SignOut")

        // With nothing to sign in with, it asks for that.
        try await press("SignIn", on: page)
        #expect(try await page.value(of: "document.activeElement.id") == "username")
        _ = try await page.value(of: "at('username').value = 'ana'; at('pin').value = '1234'; ''")
        try await press("SignIn", on: page)
        try await eventually { try await device.deviceInformation().phase == .inUse }
        try await eventually {
            let log = try await page.value(of: "at('log').innerText")
            return log.contains("→ SignIn ") && log.contains("← SignedIn epoch")
        }
        #expect(try await page.value(of: closed) == "SignIn")
        try await press("GetCurrentAccount", on: page)
        #expect(try await line(of: "GetCurrentAccount", on: page).contains("an account"))
        let account = try await page.value(of: "at('account').innerText")
        #expect(account.contains("username") && account.contains("Ana Horvat"), "\(account)")

        try await press("SignOut", on: page)
        try await eventually { try await device.deviceInformation().phase == .ready }
        // The next browser's page, which has the log of the device, but nothing of the turn.
        try await device.awaitStartPage()
        try await eventually {
            let text = try? await page.value(of: "document.getElementById('developer').innerText")
            return text?.contains("← SignedOut epoch") == true && text?.contains("GetCurrentAccount") == true
        }
        let log = try await page.value(of: "at('log').innerText")
        #expect(!log.contains("→ GetCurrentAccount") && !log.contains("SignedIn"), "\(log)")
        #expect(try await page.value(of: "at('account').innerText") == "")
    }
}
