/// What tells batond how long a device has been idle; the words of `GetDeviceInformation`.
public enum IdleSource: String, Hashable, Sendable, CaseIterable {
    /// Nothing does, so batond signs no worker out for it.
    case nothing = "no source"
    /// The X server's extension MIT-SCREEN-SAVER. It minds no program that wants the screen to stay on.
    case screenSaver = "XScreenSaver"
    /// Wayland's ext-idle-notify-v1, version 2 or later: it minds input alone.
    case inputIdleNotify = "ext-idle-notify-v1 2"
    /// Its version 1: a program that inhibits idleness, such as a page with a video, keeps the device from being idle.
    case idleNotify = "ext-idle-notify-v1"
    /// org_kde_kwin_idle, of KWin and older wlroots compositors; minds such programs as version 1 does.
    case kwinIdle = "org_kde_kwin_idle"
    /// org.gnome.Mutter.IdleMonitor of GNOME, on the session bus; minds such programs, too.
    case mutter = "Mutter IdleMonitor"
    /// The session's `IdleHint` of systemd-logind, where nothing else tells: it hangs on the desktop whether it says anything.
    case logind = "logind IdleHint"

    /// Whether a program can keep the device from being idle.
    public var mindsInhibitors: Bool { self == .idleNotify || self == .kwinIdle || self == .mutter }
}
