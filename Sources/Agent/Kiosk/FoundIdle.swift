import DBus
import Display
import Vocabulary

/// What tells how long there was no input in a session, as it was found.
struct FoundIdle: Sendable {
    var source = IdleSource.nothing
    /// How long ago a person touched keyboard or pointer; nil: the source does not say.
    var idle: @Sendable () async -> Duration? = { nil }
    /// - Parameter start: What was before that, CLOCK_BOOTTIME in microseconds, does not count.
    var watch: @Sendable (_ after: Duration, _ start: UInt64) -> IdleWatch? = { _, _ in nil }

    /// The display itself, then GNOME's compositor, then logind.
    ///
    /// - Parameters:
    ///   - desktop: The bus of the session.
    ///   - system: The system bus.
    ///   - waits: A while for a compositor that may only be starting.
    static func find(
        _ display: SessionDisplay, desktop: Connection?, system: Connection?, waits: Bool
    ) async -> FoundIdle {
        let own = await display.idleSource()
        if own != .nothing { return FoundIdle(source: own, idle: display.idle, watch: display.watchIdle) }
        if display.kind == "wayland", let mutter = await MutterIdle.find(on: desktop, waits: waits) {
            return FoundIdle(source: .mutter, idle: mutter.idle, watch: mutter.watch)
        }
        if let system, let logind = await LogindIdle.find(on: system) {
            return FoundIdle(source: .logind, idle: logind.idle, watch: logind.watch)
        }
        return FoundIdle()
    }
}
