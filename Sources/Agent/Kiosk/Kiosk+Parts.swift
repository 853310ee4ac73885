import BatonContract
import Browsers
import Clearing
import Display
import LinuxSystem
import TurnControl
import Vocabulary

extension Kiosk {
    /// The session around the kiosk; tests put others in its place.
    struct Parts: Sendable {
        /// The strongest proof that this machine gives.
        var proof: Proof
        /// `x11`, `wayland` or empty.
        var display: String
        var screen: (any Screen)?
        /// Takes over the look of what is drawn without a browser; a warning if not all of it can be had.
        var setLook: @Sendable (AgentConfiguration.StartPage) async -> String? = { _ in nil }
        var maker: @Sendable (BrowserKind) -> any BrowserMaker
        /// So that a window fills the screen also where no window manager sees to that.
        var windowArguments: @Sendable (BrowserKind) -> [String]
        var executable: @Sendable (AgentConfiguration.ManagedBrowser) -> String
        /// Looks for what tells how long there was no input.
        ///
        /// - Parameter waits: A while for what may only be starting.
        var findIdle: @Sendable (_ waits: Bool) async -> FoundIdle = { _ in FoundIdle() }
        /// Ends what an earlier agent left; what could not be ended.
        var sweep: @Sendable () async -> [String]
        /// The holders that the settings want cleared.
        var holders: @Sendable (AgentConfiguration) -> [any SharedHolder]
        /// What stands in no list. Nil turn: it is not known when it began.
        var strays: Strays
        /// What the display server may still have of windows that are gone, as far as something can be done about it.
        var forgetWindows: @Sendable (TimeLimit) async -> Void
        /// Puts the X server back to how it was before a turn; nil: the session has none.
        var server: XServerKeeper?
        /// The keyboard of the display; nil: its layout cannot be changed.
        var keyboard: Keyboard?
        var warnings: @Sendable (AgentConfiguration) async -> [String]
        var notice: CountdownDisplays?
        /// With the worker's name, above their pages and apps; nil where there can be none.
        var bar: @Sendable (BarPlace, _ pressed: @escaping @Sendable (BarPress) -> Void) -> ScreenNotice? = { _, _ in
            nil
        }
        /// The environment by which programs speak the language of that locale.
        var languageEnvironment: @Sendable (_ locale: String) -> [String: String] = { _ in [:] }
        /// Lets the programs of that turn user show windows on the session's display, and those of no other.
        var admit: @Sendable (TurnNumber?) async -> Void = { _ in }
        /// No program reaches another's that has no window, so the next turn's browser may stand by beside a worker.
        var isolatesPrograms: Bool { display == "wayland" }
    }
}
