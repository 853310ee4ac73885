import LinuxSystem
import Sandbox

/// The program that is shut in: a shell that writes the profile, socat, and Firefox.
struct FirefoxProgram {
    /// Of the network namespace, where nothing else listens.
    static let port = 9222

    /// Numbers of the descriptors inside.
    private enum Number {
        static let wire: Int32 = 5
        static let preferences: Int32 = 6
        static let running: Int32 = 7
    }

    /// What a window shows until a page is opened in it. Not `about:blank`: in a window that begins with that, Firefox has the
    /// address bar take the keys, and keeps it so: a user name and a PIN would be typed there.
    static let blank = "data:text/html,"

    /// Prepares the sandbox's home. The shell's answer says that bwrap has done its part. socat carries our socket to Firefox's
    /// port, and tries until that is open; then it is the only client: Firefox accepts one session, and none with an Origin. What pages make
    /// Firefox print does not belong into a log.
    private static let script = """
        printf x >&7 || exit 1
        exec 7>&-
        profile="$HOME/firefox"
        mkdir -m 700 "$profile" || exit 1
        if [ -n "$3" ]; then cp -R "$3/." "$profile" || exit 1; fi
        cat <&6 >>"$profile/user.js" || exit 1
        exec 6<&-
        mkdir -p "$profile/chrome" || exit 1
        printf %s "$5" >"$profile/chrome/userChrome.css" || exit 1
        printf %s "$6" >"$profile/customKeys.json" || exit 1
        if [ -n "$4" ]; then printf %s "$4" >"$profile/xulstore.json" || exit 1; fi
        exec >/dev/null 2>&1
        socat FD:5 "TCP4:127.0.0.1:$2,nodelay,retry=6000,interval=0.02" &
        exec 5<&-
        executable="$1" port="$2"
        shift 6
        exec "$executable" --profile "$profile" --no-remote --new-instance --kiosk "--remote-debugging-port=$port" "$@" \
            \(blank)
        """

    /// The agent's end of the WebSocket's connection.
    let wire: Descriptor
    /// Brings one byte when the sandbox is set up.
    let running: Descriptor
    let program: ConfinedProgram

    /// What Firefox remembers of its last window: where no window manager makes windows as large as the screen, this does.
    private static func windows(_ size: (width: Int, height: Int)) -> String {
        """
        {"chrome://browser/content/browser.xhtml":{"main-window":{"screenX":"0","screenY":"0",\
        "width":"\(size.width)","height":"\(size.height)","sizemode":"normal"}}}
        """
    }

    /// Nil when there are no descriptors left.
    init?(
        _ setup: BrowserSetup, nameServers: String, profile: String?, hasDisplay: Bool,
        size: (width: Int, height: Int)?, shares: [ConfinedProgram.Share]
    ) {
        guard let (wire, inner) = Descriptor.socketPair(), let running = Descriptor.pipe(),
            let preferences = FirefoxChannel.pipe(holding: FirefoxPreferences.text)
        else { return nil }
        self.wire = wire
        self.running = running.read
        let arguments = (hasDisplay ? [] : ["--headless"]) + setup.arguments
        var program = ConfinedProgram(
            name: "firefox",
            command: [
                "/bin/sh", "-c", Self.script, "firefox", setup.executable, "\(Self.port)", profile ?? "",
                size.map(Self.windows) ?? "", FirefoxPreferences.style,
                FirefoxPreferences.keys,
            ] + arguments)
        program.environment = [
            "MOZ_CRASHREPORTER_DISABLE": "1",
            // There is no bus: without these it would look for one, and start one, for a while.
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
            "NO_AT_BRIDGE": "1",
            // It would connect to the compositor by the path of a socket, and the user of a turn has a connection instead.
            "MOZ_DISABLE_WAYLAND_PROXY": "1",
        ]
        program.descriptors = [
            Number.wire: inner, Number.preferences: preferences, Number.running: running.write,
        ]
        program.shares = shares
        // Where resolv.conf is a link, what it names must lie in the sandbox.
        program.shares.append(.init(nameServers, as: realPath("/etc/resolv.conf") ?? "/etc/resolv.conf"))
        if let profile { program.shares.append(.init(profile)) }
        program.sharesNetwork = false
        program.user = setup.user
        program.seesDisplay = hasDisplay
        self.program = program
    }
}
