import Glibc
import TurnControl

/// Chromium's command line.
struct ChromiumArguments {
    /// Where its windows are drawn.
    enum Display: Equatable {
        case x11, wayland, none

        init(environment: [String: String]) {
            if environment["WAYLAND_DISPLAY"]?.isEmpty == false {
                self = .wayland
            } else if environment["DISPLAY"]?.isEmpty == false {
                self = .x11
            } else {
                self = .none
            }
        }
    }

    /// Where the sandbox shows the user's own store of certificate authorities, below its home.
    static let authorities = ".baton-authorities"
    /// Where those are that an administrator gives to browsers of turns' users, who do not see the kiosk user's home.
    static let commonAuthorities = "\(TurnFolders.readOnly)/chromium/nssdb"

    /// What a fresh profile is told, also where no policies are installed: it would show a name and a PIN that were typed
    /// in a bubble over the page, and offer to keep them.
    private static let preferences = """
        {"autofill":{"credit_card_enabled":false,"profile_enabled":false},"credentials_enable_autosignin":false,\
        "credentials_enable_service":false,"profile":{"password_manager_enabled":false},"translate":{"enabled":false}}
        """

    /// Features that start processes which nothing here uses: a page in advance, and pages of the browser's own below an address bar
    /// that a kiosk does not show. Those alone take more than half of the processor time of a start.
    private static let unwanted = [
        "SpareRendererForSitePerProcess", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
    ]

    /// Whether this machine has a graphics card that programs may use (drm(7), or NVIDIA's own driver).
    static var hasGraphicsCard: Bool {
        let devices = ["/dev/dri", "/dev/nvidiactl"]
        return devices.contains { access($0, F_OK) == 0 }
    }

    /// Program and arguments. The profile lies in the sandbox's home, wherever that is, and goes with it.
    static func command(
        _ executable: String, display: Display, further: [String], hasGraphics: Bool = ChromiumArguments.hasGraphicsCard
    ) throws(BrowserFault) -> [String] {
        if let argument = further.first(where: isForbidden) {
            throw .notStarted("the settings may not give the browser \(argument.prefix { $0 != "=" })")
        }
        var arguments = [
            "--remote-debugging-pipe", "--no-startup-window", "--kiosk", "--no-first-run",
            "--no-default-browser-check", "--disable-breakpad", "--disable-sync", "--disable-background-networking",
            "--password-store=basic", "--disable-default-apps", "--disable-component-update",
            // Each takes time from the page that a worker waits for.
            "--disable-component-extensions-with-background-pages",
            "--disable-features=" + unwanted.joined(separator: ","),
            // Else a page under the cover is not painted, and cannot say so.
            "--disable-backgrounding-occluded-windows",
        ]
        switch display {
        case .wayland: arguments.append("--ozone-platform=wayland")
        case .x11: arguments.append("--ozone-platform=x11")
        case .none: arguments.append("--headless=new")
        }
        // Else a process of its own draws what a graphics card would, and a fifth of the browser's start goes into that.
        if !hasGraphics { arguments.append("--disable-gpu") }
        // Not the default folder, with which Chromium allows no debugging.
        // The library takes no store of authorities that it cannot write to, so each browser gets a copy.
        let script =
            #"for store in "$HOME/\#(authorities)" \#(commonAuthorities); do [ ! -d "$store" ] || [ -d "$HOME/.pki" ] || "#
            + #"{ mkdir -p "$HOME/.pki" && cp -R "$store" "$HOME/.pki/nssdb"; }; done; "#
            + #"mkdir -p "$HOME/chromium/Default" && "#
            + #"printf %s '\#(preferences)' >"$HOME/chromium/Default/Preferences"; "#
            + #"exec "$0" --user-data-dir="$HOME/chromium" "$@""#
        return ["/bin/sh", "-c", script, executable] + arguments + further
    }

    /// What would open the browser to others or take its own sandbox away.
    private static func isForbidden(_ argument: String) -> Bool {
        argument.hasPrefix("--remote-debugging") || argument.hasPrefix("--remote-allow")
            || argument.hasPrefix("--user-data-dir") || argument.contains("sandbox") || !argument.hasPrefix("--")
    }
}
