import Settings
import Testing

@Suite struct AppsTests {
    func judge(_ text: String, id: String = "org.example.Till") throws -> Settings.Parsed {
        try parse("", apps: [AppFile(id: id, file: "apps.d/\(id).yaml", text: text)])
    }

    @Test func `every key is read`() throws {
        let text = """
            name: The till
            command: [/usr/bin/till, --kiosk]
            wipe: [~/.config/till, /var/lib/till/data]
            keep:
              - ~/.config/till/printer.conf
            redirect-uri: http://127.0.0.1:7777/answer
            scopes: [openid, User.Read]
            participant: required
            environment: {LANG: hr_HR.UTF-8, TILL_MODE: "2"}
            sandbox: on
            home: {keep: [~/.config/till-printer], read-only: [~/Templates], wipe: [~/.local/share/till]}
            session-bus: on
            autostart: true
            icon: till
            """
        let parsed = try judge(text)
        #expect(parsed.appFaults.isEmpty && parsed.disabledApps.isEmpty)
        let app = try #require(parsed.settings.apps.first)
        #expect(app.id == "org.example.Till" && app.name == "The till")
        #expect(app.command == ["/usr/bin/till", "--kiosk"] && app.unit == nil)
        #expect(app.wipe == ["~/.config/till", "/var/lib/till/data"])
        #expect(app.keep == ["~/.config/till/printer.conf"])
        #expect(app.redirectURI == "http://127.0.0.1:7777/answer")
        #expect(app.scopes == ["openid", "User.Read"])
        #expect(app.participant == .required)
        #expect(app.environment == ["LANG": "hr_HR.UTF-8", "TILL_MODE": "2"])
        #expect(app.isSandboxed && app.hasSessionBus && app.startsAtSignIn && app.icon == "till")
        #expect(app.home.keep == ["~/.config/till-printer"] && app.home.readOnly == ["~/Templates"])
        #expect(app.home.wipe == ["~/.local/share/till"])
    }

    @Test func `an empty file lists the app with the defaults`() throws {
        #expect(try judge("").settings.apps == [AppSettings(id: "org.example.Till")])
    }

    @Test func `a command may be one line`() throws {
        #expect(
            try judge("command: /usr/bin/till  --kiosk\n").settings.apps.first?.command == ["/usr/bin/till", "--kiosk"])
    }

    static let wrong = [
        Wrong("nam: x\n", "1: nam: unknown key"),
        Wrong("command: till\n", "1: command: 'till' must be an absolute path"),
        Wrong("command: []\n", "1: command: names no program"),
        Wrong(
            "command: /bin/sh -c \"x\"\n",
            "1: command: '/bin/sh -c \"x\"' is not a command without quotes or $; write it as a list"),
        Wrong("unit: till\n", "1: unit: 'till' is not a unit, such as till.service"),
        Wrong("unit: ../x.service\n", "1: unit: '../x.service' is not a unit, such as till.service"),
        Wrong("command: /bin/x\nunit: x.service\n", "2: unit: an app has either a command or a unit"),
        Wrong("wipe: ~/till\n", "1: wipe: must be a list of values"),
        Wrong("wipe:\n  - ~/till\nkeep:\n  - ~/till\n", "4: keep: '~/till' lies below no directory of wipe"),
        Wrong("wipe:\n  - ~/till\nkeep:\n  - ~/tillage\n", "4: keep: '~/tillage' lies below no directory of wipe"),
        Wrong(
            "command: /bin/x\nenvironment:\n  A B: c\n  D: [e]\n", "3: environment: 'A B' is not a name of a variable",
            "4: environment: D must be one text of at most 4096 bytes"),
        Wrong("command: /bin/x\nenvironment: A=b\n", "2: environment: must be a section of names and texts"),
        Wrong(
            "autostart: true\n", "1: autostart: is for apps that the agent starts: this one has no command"),
        Wrong(
            "command: /bin/x\nsandbox: off\nhome:\n  keep: [~/x]\n",
            "4: home.keep: is for apps with a sandbox, and this app has none"),
        Wrong(
            "command: /bin/x\nsandbox: off\nsession-bus: on\n",
            "3: session-bus: is for apps with a sandbox, and this app has none"),
        Wrong("command: /bin/x\nhome:\n  keep: [/x]\n", "3: home.keep: '/x' must begin with ~/"),
        Wrong(
            "command: /bin/x\nhome:\n  read-only:\n    - ~/.config\n",
            "4: home.read-only: '~/.config' holds files of the system"),
        Wrong(
            "command: /bin/x\nhome:\n  wipe: [~/.config]\n", "3: home.wipe: '~/.config' holds more than one app's data"),
        Wrong("command: /bin/x\nhome: {show: [~/x]}\n", "2: home.show: unknown key"),
        Wrong("icon: ../till\n", "1: icon: '../till' is not an icon's name, or an absolute path"),
        Wrong("participant: maybe\n", "1: participant: 'maybe' is not required or optional"),
        Wrong("scopes: [a b]\n", "1: scopes: 'a b' is not a scope"),
        Wrong("name: ''\n", "1: name: '' is not a name of 1 to 256 bytes on one line"),
        Wrong("name: a\nname: b\n", "2: name: duplicate key, first in line 1"),
        Wrong("name: [\n", "2: not YAML: did not find expected node content"),
    ]

    @Test(arguments: wrong) func `every fault names file, line and key, and disables that app only`(wrong: Wrong) throws
    {
        let good = AppFile(id: "a.good", file: "apps.d/a.good.yaml", text: "name: Good\n")
        let bad = AppFile(id: "b.bad", file: file, text: wrong.text)
        let parsed = try parse("", apps: [bad, good])
        #expect(parsed.appFaults.map(\.description) == wrong.faults)
        #expect(parsed.disabledApps == ["b.bad"])
        #expect(parsed.settings.apps.map(\.id) == ["a.good"])
    }

    @Test(arguments: [
        "", "/", "~", "~/", ".", "..", "till", "/..", "/home", "/home/", "/home/kiosk", "/home/kiosk/.config", "/root",
        "/etc", "/etc/till", "/usr/share/till", "/bin", "/dev/shm", "/proc/1", "/sys", "/var", "/var/lib",
        "/var/lib/baton",
        "/var/lib/baton/x", "/tmp", "/run/user/1000", "/till", "~/.config", "~/.local/share", "~/.ssh",
        "~/.config/baton", "~/.local/state/baton/x", "~/a/../..", "~/../x", "/home/kiosk/../root", "/var/lib//till",
        "~/./x", "~/x/", "~/*", "$HOME/x", "~kiosk/x", "~/a\u{7}", "/home/kiosk/.local/share",
    ]) func `a directory whose loss would be more than an app's data is refused`(path: String) throws {
        let quoted = path.contains("\u{7}") ? "~/a\\a" : path
        let parsed = try judge("wipe:\n  - \"\(quoted)\"\n")
        #expect(parsed.settings.apps.isEmpty)
        #expect(parsed.appFaults.map(\.line) == [2] && parsed.appFaults.map(\.key) == ["wipe"])
    }

    @Test(arguments: [
        "~/till", "~/.config/till", "~/.cache", "/var/lib/till", "/srv/till", "/home/kiosk/.config/till",
        "/run/user/1000/till", "/tmp/till", "/var/lib/baton-till", "~/Dokumente/Übergabe",
    ]) func `an app's own directory can be wiped`(path: String) throws {
        #expect(try judge("wipe: [\(path)]\n").settings.apps.first?.wipe == [path])
    }

    private static let noScheme =
        "has no scheme: it must begin with one, such as msauth.org.example.till://auth"
    private static let noHost = "has no host or an invalid host"
    private static let noPort = "has an invalid port; use 1 to 65535"
    private static let noLoopback =
        "has http, which is for 127.0.0.1, [::1] and localhost only; elsewhere it must be https"
    private static let isReserved = "has a scheme with another meaning; use a scheme of the app's own"
    private static let noForm = "must have the form scheme://host"

    static let unusable = [
        ("", "must have 1 to 2048 characters"), ("till://a b", "is not a URI: it has invalid characters"),
        ("till://a<b>", "is not a URI: it has invalid characters"),
        ("till://ä", "is not a URI: it has invalid characters"), ("x", noScheme), ("://", noScheme),
        ("//host/x", noScheme), ("/a:b", noScheme),
        ("1x:y", "has an invalid scheme; use letters, digits and + . -, beginning with a letter"),
        ("a_b://c", "has an invalid scheme; use letters, digits and + . -, beginning with a letter"),
        ("till://x#y", "must have no fragment, which begins with #"),
        ("urn:ietf:wg:oauth:2.0:oob", "asks for a code to be copied by hand, which is not supported"),
        ("javascript:alert(1)", isReserved), ("data:x", isReserved), ("FILE:///etc", isReserved),
        ("mailto:a", isReserved), ("https:/x", noForm), ("till:", noForm), ("till:x", noForm), ("till:/", noForm),
        ("https://", noHost), ("https:///x", noHost), ("till://", noHost), ("till:///x", noHost),
        ("https://a%2e/", noHost), ("http://[::1]x/", noPort), ("https://a:/x", noPort), ("https://a:0/", noPort),
        ("https://a:65536/", noPort), ("http://127.0.0.1:*/", noPort), ("http://[127.0.0.1]/", noHost),
        ("http://example.org/x", noLoopback), ("http://127.0.0.1.example.org/", noLoopback),
        ("HTTP://192.0.2.1/", noLoopback),
    ]

    @Test(arguments: unusable)
    func `a redirect URI that others could receive is refused, and the message says why`(
        uri: String, fault: String
    ) throws {
        let parsed = try judge("redirect-uri: \"\(uri)\"\n")
        #expect(
            parsed.appFaults.map(\.description) == [
                "apps.d/org.example.Till.yaml:1: redirect-uri: '\(uri)' \(fault)"
            ])
    }

    @Test func `a redirect URI that may hold a password is refused without showing it`() throws {
        let parsed = try judge("redirect-uri: http://user:hush@127.0.0.1/\n")
        #expect(
            parsed.appFaults.map(\.description) == [
                "apps.d/org.example.Till.yaml:1: redirect-uri: the redirect URI must not contain a user name"
            ])
    }

    @Test func `a redirect URI longer than any browser takes is refused`() throws {
        let parsed = try judge("redirect-uri: till://\(String(repeating: "x", count: 2048))\n")
        #expect(parsed.appFaults.count == 1 && parsed.settings.apps.isEmpty)
    }

    @Test(arguments: [
        "http://127.0.0.1/x", "http://localhost:80", "http://[::1]:8080/x", "https://till.example.org/answer",
        "org.example.till:/answer", "msauth.till://auth", "till://org.example.Till", "https://[2001:db8::1]:8443/x?y=z",
    ]) func `a redirect URI of the app's own is taken`(uri: String) throws {
        #expect(try judge("redirect-uri: \"\(uri)\"\n").settings.apps.first?.redirectURI == uri)
    }

    @Test func `two apps with the same redirect URI get none`() throws {
        let files = ["a.one", "b.two", "c.three"].map {
            AppFile(
                id: $0, file: "apps.d/\($0).yaml", text: "name: x\nredirect-uri: \($0 == "c.three" ? "c" : "till"):/a\n"
            )
        }
        let parsed = try parse("", apps: files)
        #expect(parsed.settings.apps.map(\.id) == ["c.three"])
        #expect(
            parsed.appFaults.map(\.description) == [
                "apps.d/a.one.yaml:2: redirect-uri: b.two has the same redirect URI",
                "apps.d/b.two.yaml:2: redirect-uri: a.one has the same redirect URI",
            ])
    }

    @Test(arguments: ["", ".x", "a/b", "a b", "a..b", "a.", "-a", "ä", String(repeating: "a", count: 256)])
    func `a file whose name is no app id is a fault`(id: String) throws {
        let parsed = try judge("", id: id)
        #expect(parsed.settings.apps.isEmpty)
        #expect(parsed.appFaults.count == 1)
        #expect(!AppFile.isAppID(id))
    }

    @Test func `faults of the settings and of apps come together`() {
        let app = AppFile(id: "a", file: "apps.d/a.yaml", text: "x: y\n")
        let thrown = #expect(throws: SettingsFaults.self) { try parse("x: y\n", apps: [app]) }
        #expect(thrown?.all.map(\.description) == ["\(file):1: x: unknown key", "apps.d/a.yaml:1: x: unknown key"])
    }
}
