import BusTesting
import KioskTesting
import Presentation
import Testing

@testable import Agent
@testable import Browsers

/// A person who has no pointer, or cannot use it (WCAG 2.2, 2.1.1 and 2.1.2).
extension ChromiumFreePageTests {
    private static let controls = "button, input, select, summary, a[href]"

    /// Tells of the page's first control that keys do not reach, once the focus has gone round. Keys that the page draws are for fingers.
    private static func round(_ number: Int) -> String {
        """
        (() => { window.round?.abort(); window.round = new AbortController(); \
        const left = new Set([...document.querySelectorAll('\(controls)')] \
        .filter(one => one.checkVisibility() && !one.disabled && !one.closest('#keys'))); \
        const see = one => { left.delete(one); if (!left.size) fetch('/round-\(number)') }; \
        see(document.activeElement); \
        addEventListener('focusin', event => see(event.target), {signal: window.round.signal}) })()
        """
    }

    @Test func `Tab reaches each control at each moment, and stays at none`() async throws {
        let page = await FreePage()
        try await run(page) { browser, display in
            try await evaluate(HeardKey.script, in: browser)
            try await page.keyboard.wait(on: display)
            let named = [
                "free, workers of before and keys", "free, provider and phone", "signing in with a phone", "in use",
                "in use, hostile names", "in use, a PIN to choose", "countdown", "in use, for developers",
            ]
            for (number, name) in named.enumerated() {
                let moment = try StartPageMoment.named(name)
                await page.desk.change { $0 = moment.state }
                await page.desk.change { $0.site = "Moment \(number)" }
                try await report(
                    "/shown-\(number)", when: "document.getElementById('site').textContent === 'Moment \(number)'",
                    in: browser)
                await page.untilRequested("/shown-\(number)")
                try await evaluate(Self.round(number), in: browser)
                try await display.xdotool(["key", "--delay", "15"] + Array(repeating: "Tab", count: 50))
                await page.untilRequested("/round-\(number)")
            }
        }
    }

    /// Goes to a control by Tab alone; when it has the focus, Tab goes no further, so that the press after is its own.
    private func reach(_ selector: String, _ page: FreePage, _ browser: Chromium, _ display: VirtualDisplay)
        async throws
    {
        try await evaluate(
            """
            (() => { window.reach?.abort(); window.reach = new AbortController(); \
            addEventListener('keydown', event => { if (event.key !== 'Tab' || !document.activeElement.matches('\(selector)')) return; \
            event.preventDefault(); fetch('/reached') }, {capture: true, signal: window.reach.signal}) })()
            """, in: browser)
        try await display.xdotool(["key", "--delay", "15"] + Array(repeating: "Tab", count: 30))
        await page.untilRequested("/reached")
    }

    @Test func `a worker opens an app, stays, locks and signs out by keys alone`() async throws {
        let page = await FreePage { $0 == .lock(pin: "") ? .message(.choosePIN) : .none }
        try await run(page) { browser, display in
            try await evaluate(HeardKey.script, in: browser)
            try await page.keyboard.wait(on: display)
            let moment = try StartPageMoment.named("in use")
            await page.desk.change { $0 = moment.state }
            try await report("/offered", when: "document.querySelector('#apps button')", in: browser)
            await page.untilRequested("/offered")
            try await reach("#apps button", page, browser, display)
            try await display.press("Return")
            #expect(await page.nextWish() == .open(app: "org.example.App"))
            try await reach("#lock", page, browser, display)
            try await display.press("space")
            #expect(await page.nextWish() == .lock(pin: ""))
            try await report("/asked", when: "document.activeElement.id === 'new-pin'", in: browser)
            await page.untilRequested("/asked")
            try await display.type("246810")
            try await display.press("Return")
            #expect(await page.nextWish() == .lock(pin: "246810"))
            await page.desk.change { ($0.countdownEnds, $0.cause) = (4_102_444_800_000, "idleCause") }
            try await report("/warned", when: "!document.getElementById('countdown').hidden", in: browser)
            await page.untilRequested("/warned")
            try await reach("#stay", page, browser, display)
            try await display.press("Return")
            #expect(await page.nextWish() == .staySignedIn)
            await page.desk.change { $0.countdownEnds = nil }
            try await reach("#out", page, browser, display)
            try await display.press("Return")
            #expect(await page.nextWish() == .signOut)
        }
    }
}
