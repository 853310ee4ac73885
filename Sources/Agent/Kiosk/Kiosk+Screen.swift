import Clearing
import Display
import Glibc
import LinuxSystem
import Logging
import Vocabulary

// What programs leave on an X server that stays.
extension Kiosk {
    static let screenProperties = "screen-properties"

    /// Before anything of the turn runs. An agent that comes in the middle of one does not know how it was.
    ///
    /// - Returns: The layout that the keyboard has in this turn; nil: the device's own.
    func rememberScreen(before turn: Turn) async -> KeyboardLayout? {
        let known = await settleKeyboard(before: turn)
        // A worker waits for it: one beside the other.
        async let remembered = rememberKeyboard(before: turn, known)
        if let server = parts.server {
            if let own = ProcessRecord(pid: getpid())?.started, own <= turn.start.ticks {
                await server.remember(limit: TimeLimit(.seconds(2)))
            } else {
                server.forget()
            }
        }
        guard let entry = await remembered else { return nil }
        return await setKeyboard(entry, for: turn)
    }

    func restoreScreen(_ epoch: Epoch, _ limit: TimeLimit) async -> [HolderReport] {
        guard let server = parts.server else { return await restoreKeyboard(epoch, limit) }
        let kept = rememberedKeyboard()
        let isSet = kept?.entry.isSet == true
        let result = await server.restore(limit: limit, hasOtherKeys: isSet) {
            _ = await kept?.keyboard.keymap.putBack(limit: $0)
        }
        switch result {
        case .restored(let found):
            if !found.hasOtherKeys { kept?.keyboard.note.remove() }
            let done = [
                found.programs == 0 ? nil : "removed: what \(found.programs) of the turn's programs had left",
                found.changed.isEmpty ? nil : "put back: \(found.changed.joined(separator: ", "))",
            ]
            let left = [
                found.hasOtherKeys ? "the keymap is another (xkbcomp did not put it back)" : nil,
                found.managed == 0 ? nil : "not looked at: \(found.managed) that the window manager sees to",
            ].compactMap(\.self)
            let text = (done.compactMap(\.self) + left).joined(separator: "; ")
            return [HolderReport(Self.screenProperties, left.isEmpty ? .clean : .unchecked, text)]
        case .another: return [HolderReport(Self.screenProperties, .clean, "the X server was started anew")]
        case .unknown:
            return [await unrestored("it is not known how they were before the turn", kept, limit)]
        case .failed(let why):
            // No window of an ended program is among it, unless the server does not answer: then the clipboard has failed too.
            log.warning("the screen is not as before the turn", metadata: ["why": "\(why)"])
            return [await unrestored(why, kept, limit)]
        }
    }

    /// The next worker has the device's own keyboard also where the rest is not known.
    private func unrestored(
        _ why: String, _ kept: (keyboard: Keyboard, entry: KeymapNote.Entry)?, _ limit: TimeLimit
    ) async -> HolderReport {
        guard let kept else { return HolderReport(Self.screenProperties, .unchecked, why) }
        let isBack = await kept.keyboard.keymap.putBack(limit: limit)
        if isBack { kept.keyboard.note.remove() }
        let what = isBack ? "put back: keymap" : Self.otherLayout
        return HolderReport(Self.screenProperties, .unchecked, "\(why); \(what)")
    }
}
