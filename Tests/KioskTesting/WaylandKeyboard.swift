import BusTesting

/// A keyboard of a compositor's, which is there until the object goes: wtype's own goes with each call, and a program that
/// learns of its first keyboard by a key misses that key.
public final class WaylandKeyboard: Sendable {
    private let compositor: HeadlessCompositor
    /// Does nothing for as long as no suite lasts.
    private let presence: ChildProcess

    public static var isInstalled: Bool { HeadlessCompositor.areInstalled("sway", "wtype") }

    public init(of compositor: HeadlessCompositor) throws {
        self.compositor = compositor
        presence = try compositor.run("wtype", "-s", "2000000", "-k", "Shift_L")
    }

    deinit { presence.kill() }

    /// Presses keys one after the other: `F1`, `ctrl+shift+t`.
    public func press(_ keys: String...) async throws { for key in keys { try await wtype(Self.arguments(key)) } }

    public func type(_ text: String) async throws { try await wtype(["-d", "20", "--", text]) }

    private static func arguments(_ key: String) -> [String] {
        let parts = key.split(separator: "+").map(String.init)
        let modifiers = parts.dropLast()
        return modifiers.flatMap { ["-M", $0] } + parts.suffix(1).flatMap { ["-k", $0] }
            + modifiers.reversed().flatMap { ["-m", $0] }
    }

    private func wtype(_ arguments: [String]) async throws {
        let tool = try compositor.run(["wtype"] + arguments)
        let (output, status) = await tool.end()
        guard status == 0 else { throw TestingError("wtype \(arguments): \(output)") }
    }
}
