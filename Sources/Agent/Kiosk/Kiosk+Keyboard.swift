import BatonContract
import Clearing
import Glibc
import LinuxSystem
import Logging
import Vocabulary

// The layout of the worker's keyboard, in their turn and not after it.
extension Kiosk {
    /// The parts for it: the keyboard itself, and what an agent after this one has to know.
    struct Keyboard: Sendable {
        var keymap: any SessionKeymap
        var note: KeymapNote
        /// The process that serves the display.
        var server: @Sendable () async -> Int32?
    }

    /// The layout that the worker of this turn wants; nil: the device's own.
    func keyboard(of turn: Turn) -> KeyboardLayout? {
        turn.keyboard ?? configuration.desktop.keyboards[turn.locale]
    }

    /// What is known of a keyboard when a turn begins.
    enum KnownKeyboard {
        /// It is the device's own.
        case own
        /// It is an earlier worker's still; what was remembered before their turn holds.
        case other
        /// An agent before this one has given it to this turn.
        case ofTurn
    }

    /// Puts back what an earlier turn has left. Before anything is remembered.
    func settleKeyboard(before turn: Turn) async -> KnownKeyboard {
        guard let (keyboard, earlier) = rememberedKeyboard() else { return .own }
        if earlier.epoch == turn.epoch { return .ofTurn }
        if await keyboard.keymap.putBack(limit: TimeLimit(.seconds(2))) { return .own }
        log.warning("the keyboard is not as before an earlier turn", metadata: ["epoch": "\(earlier.epoch)"])
        return .other
    }

    /// Remembers the keyboard before a turn.
    ///
    /// - Returns: What stands in the note; nil: how the keyboard was is not known, or this turn has its layout already.
    func rememberKeyboard(before turn: Turn, _ known: KnownKeyboard) async -> KeymapNote.Entry? {
        // On an X server any program changes the keys; elsewhere it takes the compositor's own socket.
        guard known != .ofTurn, let keyboard = parts.keyboard,
            parts.server != nil || configuration.desktop.wantsKeyboards,
            let server = await keyboard.server().flatMap(ProcessMark.init(current:))
        else { return nil }
        let entry = KeymapNote.Entry(epoch: turn.epoch, server: server, isSet: self.keyboard(of: turn) != nil)
        if known == .own {
            keyboard.note.remove()
            guard await keyboard.keymap.remember(limit: TimeLimit(.seconds(2))) else {
                log.warning("the keyboard's layout cannot be remembered, and stays the device's own")
                return nil
            }
        }
        keyboard.note.write(known == .own ? entry : KeymapNote.Entry(epoch: entry.epoch, server: server, isSet: true))
        return keyboard.note.read()?.epoch == entry.epoch ? entry : nil
    }

    /// What cannot be put back is not set.
    ///
    /// - Returns: What was set.
    func setKeyboard(_ entry: KeymapNote.Entry, for turn: Turn) async -> KeyboardLayout? {
        guard let keyboard = parts.keyboard, entry.isSet, let layout = self.keyboard(of: turn) else {
            return nil
        }
        guard let why = await keyboard.keymap.set(layout, limit: TimeLimit(.seconds(2))) else {
            return layout
        }
        log.warning(
            "the worker's keyboard layout was not set; the device's own stays",
            metadata: ["layout": "\(layout.text)", "why": "\(why)"])
        return nil
    }

    /// What the agent before this one, or this one, has kept of the keyboard before that turn and has not put back.
    func rememberedKeyboard() -> (keyboard: Keyboard, entry: KeymapNote.Entry)? {
        guard let keyboard = parts.keyboard, let entry = keyboard.note.read() else { return nil }
        guard entry.server == ProcessMark(current: entry.server.pid) else {
            // With the display's process its keyboard has gone.
            keyboard.note.remove()
            return nil
        }
        return (keyboard, entry)
    }

    /// Where no other row of the receipt is about the display's state.
    func restoreKeyboard(_ epoch: Epoch, _ limit: TimeLimit) async -> [HolderReport] {
        let wants = configuration.desktop.wantsKeyboards
        guard let (keyboard, entry) = rememberedKeyboard() else {
            guard wants, parts.keyboard != nil, turn?.epoch == epoch else { return [] }
            let why = "it is not known which keyboard layout there was before the turn"
            return [HolderReport(Self.screenProperties, .unchecked, why)]
        }
        guard await keyboard.keymap.putBack(limit: limit) else {
            log.warning("the keyboard is not as before the turn")
            return [HolderReport(Self.screenProperties, .unchecked, Self.otherLayout)]
        }
        keyboard.note.remove()
        return [HolderReport(Self.screenProperties, .clean, entry.isSet ? "put back: keyboard layout" : "")]
    }

    static let otherLayout = "the keyboard layout is another than before the turn"
}
