import BusTesting
import FolderTesting
import Foundation
import Glibc
import KioskTesting
import QRCodes
import Testing

@testable import Display

/// The lock on a real X server and under a real compositor: what it hides, what is pressed on it, and that it outlives its program.
@Suite(.asOrdinaryUser, .timeLimit(.minutes(2))) struct LockScreenTests {
    static func face(
        typed: Int = 0, hasKeys: Bool = true, back: String = "I am back", phone: String = "",
        elsewhere: LockCode? = nil
    ) -> LockFace {
        LockFace(
            name: "Ana Horvat", title: "Locked", hint: "Enter your PIN to come back.", end: "Sign-out at 14:05",
            typed: typed, hasKeys: hasKeys, back: back, phone: phone, elsewhere: elsewhere,
            other: "Another worker: sign out Ana Horvat")
    }

    /// In the middle of what is pressed, on the screen.
    static func place(of key: LockKey, on layout: LockLayout) throws -> (x: Int, y: Int) {
        let box =
            switch key {
            case .enter, .cancel: LockLayout.back
            case .phone: LockLayout.phone
            case .other: LockLayout.other
            default: try #require(LockLayout.keys.first { $0.key == key }?.box)
            }
        return (
            layout.left + Int(box.middle.x * layout.unit), layout.top + Int(box.middle.y * layout.unit)
        )
    }

    private static func collected(_ count: Int, of keys: AsyncStream<LockKey>) async -> [LockKey] {
        var all: [LockKey] = []
        for await key in keys.prefix(count) { all.append(key) }
        return all
    }

    /// Whether there is nothing but greys, the colour of the way back, and what lies between them at the edges of letters.
    static func isOwn(_ picture: [UInt32: Int]) -> Bool {
        let accent = SiteLook()
        let warm = Int(accent.red) - Int(accent.green)
        let cold = Int(accent.green) - Int(accent.blue)
        return picture.keys.allSatisfy { pixel in
            let red = Int(pixel >> 16 & 0xff)
            let green = Int(pixel >> 8 & 0xff)
            let blue = Int(pixel & 0xff)
            // Of whatever lies between, both differences are the same share of the colour's; each part was rounded.
            let isBetween = abs((red - green) * cold - (green - blue) * warm) <= 2 * (warm + cold)
            return isBetween && red - green >= -1 && red - green <= warm + 1
        }
    }

    @Test(arguments: [(800, 480), (1280, 800), (1920, 1080), (3840, 2160), (480, 800)])
    func `on each screen all of it is there, and large enough for a finger`(_ width: Int, _ height: Int) {
        let layout = LockLayout(screen: (width, height))
        #expect(layout.left >= 0 && layout.top >= 0)
        #expect(layout.left + layout.width <= width && layout.top + layout.height <= height)
        let face = Self.face(phone: "Phone")
        for (key, box) in LockLayout.keys + [(key: LockKey.phone, box: LockLayout.phone)] {
            #expect(min(box.width, box.height) * layout.unit >= 44, "\(width)x\(height) \(key)")
            #expect(
                layout.key(
                    atX: Double(layout.left) + box.middle.x * layout.unit,
                    Double(layout.top) + box.middle.y * layout.unit, on: face) == key)
        }
        #expect(min(LockLayout.other.height, LockLayout.back.height) * layout.unit >= 44)
        #expect(layout.key(atX: 0, 0, on: face) == nil)
    }

    /// With a prefix of Microsoft's own form, and with one as long as a provider may have.
    private static let addresses = [
        "https://login.microsoft.com/device?user_code=ABCD-EFGH",
        "https://identity.example.org/realms/ward/device?user_code=ABCD-EFGH&x=" + String(repeating: "a", count: 120),
    ]

    @Test(.enabled(if: access("/usr/bin/zbarimg", X_OK) == 0, "needs zbarimg"), arguments: Self.addresses)
    func `on each screen a phone reads the code off it`(address: String) async throws {
        let picture = try #require(QRCode(address))
        let code = LockCode(
            hint: "Scan this with a phone, or open https://login.microsoft.com/device there and enter the code:",
            code: "ABCD-EFGH", end: "Valid until 14:02.", modules: picture.framed, width: picture.side)
        let folder = try TemporaryFolder("code")
        for (width, height) in [(800, 480), (1280, 800), (1920, 1080), (3840, 2160), (480, 800)] {
            let layout = LockLayout(screen: (width, height))
            var pixels = [UInt8](repeating: 0, count: layout.width * layout.height * 4)
            let isDrawn = pixels.withUnsafeMutableBufferPointer { bytes in
                bytes.baseAddress.map {
                    LockPicture.draw(
                        Self.face(back: "Cancel", elsewhere: code), on: $0, width: layout.width,
                        height: layout.height, layout, origin: (layout.left, layout.top))
                }
            }
            #expect(isDrawn == true)
            // Portable greymap: one of the three colours, all of which are the same.
            let greys = stride(from: 0, to: pixels.count, by: 4).map { pixels[$0] }
            let file = "\(folder.path)/\(width).pgm"
            try Data(Array("P5\n\(layout.width) \(layout.height)\n255\n".utf8) + greys).write(to: URL(filePath: file))
            let reader = try ChildProcess(["zbarimg", "--quiet", "--raw", file], environment: [:])
            let (output, status) = await reader.end()
            #expect(status == 0 && output.contains(address), "\(width)x\(height): \(output)")
        }
    }

    @Test func `a line that fits in smaller letters is not cut`() {
        let line = "https://login.microsoft.com/device there and enter the code:"
        var pixel = [UInt8](repeating: 0, count: 4)
        pixel.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            _ = PixelCanvas.draw(on: base, width: 1, height: 1) { _ in
            } text: { pen in
                // One that is cut is as wide as its room.
                for room in stride(from: 400.0, through: 430, by: 1) {
                    let width = PenText(line, size: 15.3, room: room + 0.5, pen)?.width ?? .infinity
                    #expect(width <= room, "\(room)")
                }
            }
        }
    }

    @Test func `a long hint is two lines`() {
        #expect(PenLines.halves(of: "one two three four") == ["one two", "three four"])
        #expect(PenLines.halves(of: "one") == ["one"])
        #expect(PenLines.halves(of: "").isEmpty)
    }

    // MARK: X11

    private func screen(_ display: VirtualDisplay) async throws -> X11Screen {
        try #require(await X11Screen(XAddress(display: display.display)))
    }

    @Test(.enabled(if: access("/usr/bin/xdotool", X_OK) == 0, "needs xdotool"))
    func `an X server hides its windows, and hands over what is typed and clicked`() async throws {
        let display = try VirtualDisplay()
        let client = try XClient(display.display)
        client.showWindow()
        let screen = try await screen(display)
        #expect(await screen.lock(Self.face()))
        #expect(Self.isOwn(try client.picture()))
        #expect(screen.holdsInput)
        try await display.xdotool("key", "1", "0", "KP_3", "BackSpace", "a", "B", "exclam", "Return")
        let layout = LockLayout(screen: (1280, 800))
        for key in [LockKey.digit(7), .enter, .other] {
            let place = try Self.place(of: key, on: layout)
            try await display.click(place.x, place.y)
        }
        #expect(
            await Self.collected(11, of: screen.lockKeys)
                == [
                    .digit(1), .digit(0), .digit(3), .erase, .character("a"), .character("B"), .character("!"), .enter,
                    .digit(7), .enter, .other,
                ])
        // By phone: its key, Return where there are no digits, and Escape and the button to give it up.
        #expect(await screen.lock(Self.face(phone: "Phone")))
        let phone = try Self.place(of: .phone, on: layout)
        try await display.click(phone.x, phone.y)
        #expect(await screen.lock(Self.face(hasKeys: false, phone: "Phone")))
        try await display.xdotool("key", "1", "Return")
        #expect(await Self.collected(2, of: screen.lockKeys) == [.phone, .phone])
        let code = LockCode(hint: "Scan this.", code: "ABCD-EFGH", end: "")
        #expect(await screen.lock(Self.face(phone: "Phone", elsewhere: code)))
        try await display.xdotool("key", "1", "Return", "Escape")
        let back = try Self.place(of: .cancel, on: layout)
        try await display.click(back.x, back.y)
        #expect(await Self.collected(2, of: screen.lockKeys) == [.cancel, .cancel])
        #expect(await screen.lock(Self.face()))
        // Digits are dots.
        let before = try client.picture()[0xffffff] ?? 0
        #expect(await screen.lock(Self.face(typed: 4)))
        #expect(try client.picture()[0xffffff] ?? 0 > before)
        // A sign-out covers in its place, without keys.
        #expect(await screen.cover("Signing out"))
        #expect(Self.isOwn(try client.picture()))
        await screen.uncover()
        try await eventually { try client.picture()[XClient.red] ?? 0 > 0 }
    }

    @Test(.enabled(if: access("/usr/bin/xdotool", X_OK) == 0, "needs xdotool"))
    func `an X server shows and hears nothing when the program is gone, until the next one ends it`() async throws {
        let display = try VirtualDisplay()
        let client = try XClient(display.display)
        client.showWindow()
        var screen: X11Screen? = try await screen(display)
        #expect(screen?.isCoveredBefore == false)
        #expect(await screen?.lock(Self.face()) == true)
        // All of its connection goes with it.
        screen = nil
        for _ in 0..<10 {
            #expect(try client.picture()[XClient.red] == nil)
            try await display.xdotool("key", "1", "a", "Return")
        }
        #expect(client.keys().isEmpty)
        let next = try await self.screen(display)
        #expect(next.isCoveredBefore)
        #expect(await next.lock(Self.face()))
        #expect(!next.isCoveredBefore)
        #expect(try client.picture()[XClient.red] == nil)
        #expect(next.holdsInput)
        try await display.xdotool("key", "5")
        #expect(await Self.collected(1, of: next.lockKeys) == [.digit(5)])
        await next.uncover()
        try await eventually { try client.picture()[XClient.red] ?? 0 > 0 }
        try await display.xdotool("key", "a")
        try await eventually { !client.keys().isEmpty }
    }

    @Test func `what an earlier program left goes also without a cover of one's own`() async throws {
        let display = try VirtualDisplay()
        let client = try XClient(display.display)
        client.showWindow()
        var screen: X11Screen? = try await screen(display)
        #expect(await screen?.lock(Self.face()) == true)
        screen = nil
        let next = try await self.screen(display)
        #expect(next.isCoveredBefore)
        await next.uncover()
        #expect(!next.isCoveredBefore)
        try await eventually { try client.picture()[XClient.red] ?? 0 > 0 }
    }
}
