import Clearing
import Display
import Glibc
import LinuxSystem
import Logging
import Vocabulary

// What programs leave on an X server that stays.
extension Kiosk {
    /// Before anything of the turn runs. An agent that comes in the middle of one does not know how it was.
    func rememberScreen(before turn: Turn) async {
        guard let server = parts.server else { return }
        guard let own = ProcessRecord(pid: getpid())?.started, own <= turn.start.ticks else { return server.forget() }
        // A worker waits for it: one beside the other.
        async let keymap: Void? = parts.keymap?.remember(limit: TimeLimit(.seconds(2)))
        await server.remember(limit: TimeLimit(.seconds(2)))
        _ = await keymap
    }

    func restoreScreen(_ limit: TimeLimit) async -> [HolderReport] {
        guard let server = parts.server else { return [] }
        let name = "screen-properties"
        let result = await server.restore(limit: limit) { [keymap = parts.keymap] in await keymap?.putBack(limit: $0) }
        switch result {
        case .restored(let found):
            let done = [
                found.programs == 0 ? nil : "removed: what \(found.programs) of the turn's programs had left",
                found.changed.isEmpty ? nil : "put back: \(found.changed.joined(separator: ", "))",
            ]
            let left = [
                found.hasOtherKeys ? "the keymap is another (xkbcomp did not put it back)" : nil,
                found.managed == 0 ? nil : "not looked at: \(found.managed) that the window manager sees to",
            ].compactMap(\.self)
            let text = (done.compactMap(\.self) + left).joined(separator: "; ")
            return [HolderReport(name, left.isEmpty ? .clean : .unchecked, text)]
        case .another: return [HolderReport(name, .clean, "the X server was started anew")]
        case .unknown: return [HolderReport(name, .unchecked, "it is not known how they were before the turn")]
        case .failed(let why):
            // No window of an ended program is among it, unless the server does not answer: then the clipboard has failed too.
            log.warning("the screen is not as before the turn", metadata: ["why": "\(why)"])
            return [HolderReport(name, .unchecked, why)]
        }
    }
}
