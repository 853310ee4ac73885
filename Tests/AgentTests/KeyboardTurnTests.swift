import BatonContract
import BusTesting
import FolderTesting
import Glibc
import KioskTesting
import LinuxSystem
import Logging
import Processes
import Testing
import Vocabulary

@testable import Agent
@testable import Clearing
@testable import Display

/// The layout of a worker's keyboard on a real X server, from their sign-in to the next worker's.
@Suite(.timeLimit(.minutes(1))) struct KeyboardTurnTests {
    private let display: VirtualDisplay
    private let address: XAddress
    private let folder: TemporaryFolder

    init() throws {
        display = try VirtualDisplay()
        address = XAddress(display: display.display)
        folder = try TemporaryFolder("keyboard")
    }

    /// An agent of its own; all of them have one folder.
    private func agent(_ keyboards: [String: String] = ["de": "de"]) async throws -> Kiosk {
        let keymap = try #require(
            XKeymap(environment: ["DISPLAY": display.display], folder: folder.path, launcher: Launcher()))
        let pid = display.pid
        let keyboard = Kiosk.Keyboard(keymap: keymap, note: KeymapNote(folder: folder.path), server: { pid })
        let kiosk = Kiosk.scripted(in: folder.path, server: XServerKeeper(address, ignoring: []), keyboard: keyboard)
        var configuration = AgentConfiguration()
        for (locale, layout) in keyboards {
            #expect(configuration.desktop.keyboards.add(locale, try #require(KeyboardLayout(layout))))
        }
        _ = await kiosk.configure(configuration)
        return kiosk
    }

    /// - Parameter isOld: It began before this process.
    private func turn(_ epoch: Epoch, locale: String = "", keyboard: String = "", isOld: Bool = false) -> Turn {
        var turn = Turn(epoch: epoch, start: isOld ? TurnStart(wall: 1, ticks: 0) : TurnStart())
        (turn.locale, turn.keyboard) = (locale, KeyboardLayout(keyboard))
        return turn
    }

    private func row(_ kiosk: Kiosk, _ epoch: Epoch) async throws -> HolderReport {
        let rows = await kiosk.clearSharedHolders(
            epoch: epoch, began: nil, spare: [], waiting: [], limit: TimeLimit(.seconds(20)))
        return try #require(rows.first { $0.name == "screen-properties" })
    }

    /// The symbols of the keys that have Q and Y in the United States.
    private func keys() throws -> String {
        let keymap = try #require(XConnection(address)?.keymap())
        return try [24, 29].map { (code: Int) in
            let symbol = keymap.symbols[(code - Int(keymap.first)) * Int(keymap.symbolsPerKey)]
            return String(Character(try #require(Unicode.Scalar(symbol))))
        }.joined()
    }

    private func setLayout(_ layout: String) async throws {
        let tool = try ChildProcess(["setxkbmap", layout], environment: ["DISPLAY": display.display])
        #expect(await tool.end().status == 0)
    }

    @Test func `a worker has the layout of their account or locale, and the next one the device's own`() async throws {
        let kiosk = try await agent()
        for (epoch, keyboard, wanted) in [(Epoch(1), "", "qz"), (2, "fr", "ay"), (3, "xx", "qy")] {
            await kiosk.begin(turn(epoch, locale: "de-AT", keyboard: keyboard))
            #expect(try keys() == wanted)
            // Asked again, as after a restart of batond, it is left to the worker.
            try await setLayout("us")
            await kiosk.begin(turn(epoch, locale: "de-AT", keyboard: keyboard))
            #expect(try keys() == "qy")
            let row = try await row(kiosk, epoch)
            #expect(row.outcome == .clean && row.explanation.contains("keymap"), "\(row)")
            #expect(try keys() == "qy")
        }
        await kiosk.begin(turn(4, locale: "hu"))
        #expect(try keys() == "qy")
        #expect(try await row(kiosk, 4).explanation == "")
        await kiosk.close()
    }

    @Test func `an agent that is restarted in a turn puts back what the one before has seen`() async throws {
        let first = try await agent()
        await first.begin(turn(1, locale: "de"))
        await first.close()
        try await setLayout("fr")
        let second = try await agent()
        await second.begin(turn(1, locale: "de", isOld: true))
        #expect(try keys() == "ay", "the worker's own choice")
        let row = try await row(second, 1)
        #expect(row.outcome == .unchecked)
        #expect(row.explanation == "it is not known how they were before the turn; put back: keymap")
        #expect(try keys() == "qy")
        #expect(
            await XLayoutNames(at: address, limit: TimeLimit(.seconds(20)))?.bytes.contains(UInt8(ascii: "f")) == false)
        await second.close()
    }

    @Test func `a turn that ended without an agent leaves the next worker no layout`() async throws {
        let first = try await agent()
        await first.begin(turn(1, locale: "de"))
        await first.close()
        let second = try await agent()
        await second.begin(turn(2))
        #expect(try keys() == "qy")
        await second.close()
    }

    @Test func `a layout that cannot be put back is said, and tried again before the next turn`() async throws {
        let kiosk = try await agent()
        await kiosk.begin(turn(1, locale: "de"))
        let (file, away) = (folder.path + "/keymap.xkb", folder.path + "/away")
        #expect(rename(file, away) == 0)
        let row = try await row(kiosk, 1)
        #expect(row.outcome == .unchecked && row.explanation.contains("the keymap is another"), "\(row)")
        #expect(try keys() == "qz")
        #expect(rename(away, file) == 0)
        await kiosk.begin(turn(2))
        #expect(try keys() == "qy")
        await kiosk.close()
    }
}
