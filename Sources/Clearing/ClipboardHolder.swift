import Display
public import LinuxSystem
public import Processes
import Vocabulary

/// The clipboard and its kin: selections of X11 and Wayland, and X11's cut buffers.
public struct ClipboardHolder: SharedHolder {
    public let name = "clipboard"
    private let sides: [any ClipboardSide]
    /// How long it waits for a program to put things back. A program that does so hears of the loss at once; no event says that
    /// none will.
    private let settling: Duration

    /// - Parameter environment: Names the displays; those of both kinds are cleared, as XWayland has selections of its own.
    public init(
        environment: [String: String], launcher: Launcher, settling: Duration = .milliseconds(120)
    ) {
        self.settling = settling
        var sides: [any ClipboardSide] = []
        if let wayland = WaylandSelections(environment: environment, launcher: launcher) { sides.append(wayland) }
        if let address = XAddress(environment: environment) { sides.append(XSelections(address: address)) }
        self.sides = sides
    }

    public func warning() async -> String? {
        if sides.isEmpty { return "the session has no display, so there is no clipboard to clear" }
        var warnings: [String] = []
        for side in sides {
            if let warning = await side.warning() { warnings.append(warning) }
        }
        return warnings.isEmpty ? nil : warnings.joined(separator: "; ")
    }

    /// How often it clears again what a program puts back.
    private static let rounds = 6

    private func pause(after seen: ClipboardLook) -> Duration {
        seen.hasManager || !seen.held.isEmpty ? settling : .milliseconds(30)
    }

    public func clear(_ turn: TurnStart, limit: TimeLimit) async -> HolderReport {
        if sides.isEmpty { return HolderReport(name, .unchecked, "the session has no display") }
        var seen = await look(limit)
        for round in 1...Self.rounds where round == 1 || !limit.isOver {
            var fault: String?
            for side in sides {
                if let why = await side.clear(limit: limit) { fault = fault ?? why }
            }
            try? await OwnTasks.sleep(for: pause(after: seen))
            seen = await look(limit)
            if let fault = seen.fault ?? fault { return HolderReport(name, .failed, fault) }
            if seen.held.isEmpty {
                let remark = "a clipboard manager runs; its history was not checked"
                return HolderReport(name, .clean, seen.hasManager ? remark : "")
            }
        }
        return HolderReport(name, .failed, "taken again after each clearing: " + seen.held.joined(separator: ", "))
    }

    private func look(_ limit: TimeLimit) async -> ClipboardLook {
        var seen = ClipboardLook()
        for side in sides { seen.add(await side.look(limit: limit)) }
        return seen
    }
}
