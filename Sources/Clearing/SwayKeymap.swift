package import Display
import FoundationEssentials
package import LinuxSystem
package import Vocabulary

/// The keyboards of sway, before a turn and after it.
///
/// The layouts of sway's settings cannot be asked for. So a worker's is laid over them as a keymap file, which goes before them, and
/// taken away again.
package struct SwayKeymap: SessionKeymap {
    /// All of them, also those that are plugged in later.
    private static let all = "type:keyboard"

    private let sway: SwayIPC
    private let before: RuntimeNote
    private let file: RuntimeNote

    /// - Parameter folder: The agent's own.
    package init(_ sway: SwayIPC, folder: String) {
        self.sway = sway
        before = RuntimeNote(path: folder + "/keyboards.json")
        file = RuntimeNote(path: folder + "/turn.xkb")
    }

    package var warning: String? { nil }

    package func remember(limit: TimeLimit) async -> Bool {
        guard let keyboards = await sway.keyboards(limit: limit), let data = try? JSONEncoder().encode(keyboards) else {
            return false
        }
        let text = String(decoding: data, as: UTF8.self)
        before.write(text)
        return before.read() == text
    }

    package func set(_ layout: KeyboardLayout, limit: TimeLimit) async -> String? {
        // sway expands the path as a shell does.
        guard file.path.utf8.allSatisfy(Self.isPlain) else { return "sway cannot be given the file \(file.path)" }
        let text = """
            xkb_keymap {
                xkb_keycodes { include "evdev+aliases(qwerty)" };
                xkb_types { include "complete" };
                xkb_compat { include "complete" };
                xkb_symbols { include "pc+\(layout.text)+inet(evdev)" };
            };

            """
        file.write(text)
        guard file.read() == text else { return "\(file.path) cannot be written" }
        if await sway.run("input \(Self.all) xkb_file \(file.path)", limit: limit) { return nil }
        _ = await sway.run("input \(Self.all) xkb_file -", limit: limit)
        return "sway does not take it"
    }

    package func putBack(limit: TimeLimit) async -> Bool {
        guard let text = before.read(),
            let known = try? JSONDecoder().decode([SwayIPC.Keyboard].self, from: Data(text.utf8))
        else { return false }
        file.remove()
        _ = await sway.run("input \(Self.all) xkb_file -", limit: limit)
        // What a program of the worker's has had sway change besides.
        for attempt in 0..<3 {
            guard let others = await others(than: known, limit) else { return false }
            if others.isEmpty {
                before.remove()
                return true
            }
            guard attempt < 2 else { break }
            for keyboard in others {
                for command in attempt == 0 ? Self.plain(keyboard) : Self.renamed(keyboard) {
                    _ = await sway.run(command, limit: limit)
                }
            }
        }
        return false
    }

    /// The remembered state of each keyboard that differs from it; unplugged and new keyboards are left out. Nil: sway does not answer.
    private func others(than known: [SwayIPC.Keyboard], _ limit: TimeLimit) async -> [SwayIPC.Keyboard]? {
        guard let now = await sway.keyboards(limit: limit) else { return nil }
        return known.filter { keyboard in now.contains { $0.identifier == keyboard.identifier && $0 != keyboard } }
    }

    private static func plain(_ keyboard: SwayIPC.Keyboard) -> [String] {
        // Its maker chose the name, which becomes part of a command.
        guard keyboard.identifier.utf8.allSatisfy({ isPlain($0) || $0 == UInt8(ascii: ":") }) else { return [] }
        return [
            "input \(keyboard.identifier) xkb_file -",
            "input \(keyboard.identifier) xkb_switch_layout \(max(0, keyboard.active))",
        ]
    }

    private static func renamed(_ keyboard: SwayIPC.Keyboard) -> [String] {
        let plain = plain(keyboard)
        guard !plain.isEmpty, let rules = XKBRules() else { return plain }
        let layouts = keyboard.layouts.compactMap { rules.layout(described: $0) }.compactMap {
            KeyboardLayout($0.variant.isEmpty ? $0.layout : "\($0.layout)(\($0.variant))")
        }
        guard !layouts.isEmpty, layouts.count == keyboard.layouts.count else { return plain }
        let place = "input \(keyboard.identifier)"
        // No variant of the former layout stands in the way of the new one, nor the other way round.
        return [
            "\(place) xkb_variant \"\"",
            "\(place) xkb_layout \"\(layouts.map(\.layout).joined(separator: ","))\"",
            "\(place) xkb_variant \"\(layouts.map(\.variant).joined(separator: ","))\"",
        ] + plain
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "/._-".utf8.contains(byte) }
}
