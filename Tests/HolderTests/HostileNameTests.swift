import Glibc
import Testing

@testable import Agent
@testable import Display

/// Names that mean ill, on what is drawn without a browser.
@Suite(.serialized) struct HostileNameTests {
    private static let names = [
        String(repeating: "Wilhelmina ", count: 30), "<b>Ana</b><script>alert(1)</script>", "\u{202E}tuo ngiS\u{2066}",
        "Ana\u{0}\u{7}\u{1B}[2J", "\u{5D0}\u{5E0}\u{5D4} 12345", String(repeating: "\u{1F642}", count: 300),
        "A" + String(repeating: "\u{301}", count: 300),
    ]

    private func drawn(_ width: Int, _ height: Int, _ draw: (UnsafeMutablePointer<UInt8>) -> Bool) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: width * height * 4)
        let isDrawn = bytes.withUnsafeMutableBufferPointer { $0.baseAddress.map(draw) ?? false }
        #expect(isDrawn)
        return bytes
    }

    /// Whether two pictures are the same from some column and row on.
    private func isSame(_ one: [UInt8], _ other: [UInt8], width: Int, fromColumn left: Int, row top: Int) -> Bool {
        let height = one.count / width / 4
        return (top..<height).allSatisfy { row in
            let part = (row * width + left) * 4..<(row + 1) * width * 4
            return one[part] == other[part]
        }
    }

    @Test(arguments: names) func `the countdown's number is read, and its button is where it was`(_ name: String) {
        let panel = NoticePicture.panel
        func picture(_ name: String) -> [UInt8] {
            let text = Countdown(secondsLeft: 17, name: name).counted.text(17)
            return drawn(Int(panel.width), Int(panel.height)) { panel.draw(text, $0) }
        }
        let title = Countdown(secondsLeft: 17, name: name).title
        #expect(title.contains("17") && title.unicodeScalars.count < 110)
        #expect(
            isSame(picture("Ana"), picture(name), width: Int(panel.width), fromColumn: Int(panel.width) - 256, row: 0))
    }

    @Test(arguments: names) func `the bar's button is where it was`(_ name: String) {
        func picture(_ name: String) -> [UInt8] {
            drawn(Int(BarPicture.width), Int(BarPicture.height)) { BarPicture.draw(name + "\nSign out", $0) }
        }
        let width = Int(BarPicture.width)
        #expect(isSame(picture("Ana"), picture(name), width: width, fromColumn: width - 140, row: 0))
    }

    @Test(arguments: names) func `a lock's keys and its way back are where they were`(_ name: String) {
        let layout = LockLayout(screen: (1280, 800))
        func picture(_ name: String) -> [UInt8] {
            let face = LockFace(
                name: name, title: "Locked", hint: "Enter your PIN.", end: "", hasKeys: true, back: "I am back",
                other: "Another worker")
            return drawn(layout.width, layout.height) {
                LockPicture.draw(
                    face, on: $0, width: layout.width, height: layout.height, layout, origin: (layout.left, layout.top))
            }
        }
        #expect(
            isSame(picture("Ana"), picture(name), width: layout.width, fromColumn: 0, row: Int(90 * layout.unit)))
    }
}
