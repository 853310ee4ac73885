import Configuration
import LocalAccounts
import Testing

/// A text and the faults that it must have, each with file, line and key.
struct Wrong: Sendable, CustomTestStringConvertible {
    let text: String
    let faults: [String]
    var testDescription: String { String(text.prefix(60)) }

    init(_ text: String, _ faults: String...) {
        self.text = text
        self.faults = faults.map { "\(file):\($0)" }
    }
}

private let duration = "a duration, such as 1500ms, 5s, 15min, 1h or 90d"
private let hidesTooMuch = "would hide a whole home or shared folder from sign-out; name a path below it"

@Suite(.timeLimit(.minutes(1))) struct SettingsFaultTests {
    static let unknown = [
        Wrong("mood: shared\n", "1: mood: unknown key"),
        Wrong("mode: shared\n\nbarrier:\n  sofd: 1s\n", "4: barrier.sofd: unknown key"),
        Wrong("soft: 1s\n", "1: soft: unknown key; did you mean barrier.soft?"),
        Wrong("barrier.soft: 1s\n", "1: barrier.soft: unknown key; did you mean barrier.soft?"),
        Wrong("identity: {accounts: [{username: a, name: b, pni: c}]}", "1: identity.accounts[0].pni: unknown key"),
        Wrong("a: 1\nb: 2\n", "1: a: unknown key", "2: b: unknown key"),
    ]

    static let types = [
        Wrong("barrier: 5\n", "1: barrier: must be a section of keys"),
        Wrong("barrier: [soft]\n", "1: barrier: must be a section of keys"),
        Wrong("mode:\n  - shared\n", "2: mode: must be one value"),
        Wrong("mode: {a: b}\n", "1: mode: must be one value"),
        Wrong("mode: {}\n", "1: mode: must be one value"),
        Wrong("mode:\n", "1: mode: has no value"),
        Wrong("mode: ~\n", "1: mode: has no value"),
        Wrong("administrators: root\n", "1: administrators: must be a list of values"),
        Wrong("administrators: [[root]]\n", "1: administrators: must be a list of values"),
        Wrong("administrators: [~]\n", "1: administrators: must be a list of values"),
        Wrong("- mode\n", "1: the file must consist of keys"),
        Wrong("shared\n", "1: the file must consist of keys"),
        Wrong("identity: {accounts: {}}\n", "1: identity.accounts: must be a list of accounts"),
        Wrong(
            "identity: {accounts: [ana]}\n", "1: identity.accounts[0]: must be an account with username, name and pin"),
        Wrong("agent: {required: maybe}\n", "1: agent.required: 'maybe' is not true or false"),
    ]

    static let metrics = [
        Wrong(
            "metrics: {textfile: baton.prom}\n",
            "1: metrics.textfile: 'baton.prom' is not the absolute path of a .prom file"),
        Wrong(
            "metrics: {textfile: /run/baton-metrics/baton.txt}\n",
            "1: metrics.textfile: '/run/baton-metrics/baton.txt' is not the absolute path of a .prom file"),
        Wrong(
            "metrics: {textfile: /run/baton-metrics/.prom}\n",
            "1: metrics.textfile: '/run/baton-metrics/.prom' is not the absolute path of a .prom file"),
        Wrong(
            "metrics: {socket: /run/}\n", "1: metrics.socket: '/run/' is not an absolute path of at most 103 bytes"),
        Wrong(
            "metrics: {socket: /\(String(repeating: "s", count: 103))}\n",
            "1: metrics.socket: '/\(String(repeating: "s", count: 63))…' is not an absolute path of at most 103 bytes"),
        Wrong(
            "metrics: {textfile: /a.prom, socket: /a.prom}\n",
            "1: metrics.textfile: textfile and socket must not be the same path"),
        Wrong("metrics: /run/baton.prom\n", "1: metrics: must be a section of keys"),
        Wrong("metrics: {file: /a.prom}\n", "1: metrics.file: unknown key"),
    ]

    static let values = [
        Wrong("mode: personal\n", "1: mode: 'personal' is not shared or default"),
        Wrong("barrier:\n  soft: fast\n", "2: barrier.soft: 'fast' is not \(duration)"),
        Wrong("barrier: {soft: 0s}\n", "1: barrier.soft: '0s' is not \(duration)"),
        Wrong("barrier: {soft: -1s}\n", "1: barrier.soft: '-1s' is not \(duration)"),
        Wrong("barrier: {soft: 1.5s}\n", "1: barrier.soft: '1.5s' is not \(duration)"),
        Wrong("barrier: {soft: 5}\n", "1: barrier.soft: '5' is not \(duration)"),
        Wrong("barrier: {soft: 5 s}\n", "1: barrier.soft: '5 s' is not \(duration)"),
        Wrong("barrier: {soft: ٥s}\n", "1: barrier.soft: '٥s' is not \(duration)"),
        Wrong("keep-receipts: 1s\n", "1: keep-receipts: '1s' is not \(duration) of 1h or longer"),
        Wrong(
            "keep-receipts: 9223372036854775807d\n",
            "1: keep-receipts: '9223372036854775807d' is not \(duration) of 1h or longer"),
        Wrong(
            "keep-receipts: 99999999999999999999999s\n",
            "1: keep-receipts: '99999999999999999999999s' is not \(duration) of 1h or longer"),
        Wrong("sign-in-timeout: off\n", "1: sign-in-timeout: 'off' is not \(duration) of 10s or longer"),
        Wrong("barrier: {unproven: forget}\n", "1: barrier.unproven: 'forget' is not owe or quarantine"),
        Wrong("barrier: {unlisted-apps: maybe}\n", "1: barrier.unlisted-apps: 'maybe' is not accept or refuse"),
        Wrong("tokens: none\n", "1: tokens: 'none' is not listed or any"),
        Wrong(
            "command-line-tokens: [\"http://example.org\"]\n",
            "1: command-line-tokens: 'http://example.org' is not an origin, such as https://graph.microsoft.com, or http on loopback"
        ),
        Wrong(
            "command-line-tokens: [\"https://a.example/path\"]\n",
            "1: command-line-tokens: 'https://a.example/path' is not an origin, such as https://graph.microsoft.com, or http on loopback"
        ),
        Wrong(
            "command-line-tokens: [\"https://user@a.example\"]\n",
            "1: command-line-tokens: 'https://user@a.example' is not an origin, such as https://graph.microsoft.com, or http on loopback"
        ),
        Wrong(
            "command-line-tokens: [\"ftp://a.example\"]\n",
            "1: command-line-tokens: 'ftp://a.example' is not an origin, such as https://graph.microsoft.com, or http on loopback"
        ),
        Wrong(
            "command-line-tokens: [\"https://a.example?x\"]\n",
            "1: command-line-tokens: 'https://a.example?x' is not an origin, such as https://graph.microsoft.com, or http on loopback"
        ),
        Wrong(
            "command-line-tokens: [\"on\"]\n",
            "1: command-line-tokens: 'on' is not an origin, such as https://graph.microsoft.com, or http on loopback"),
        Wrong("command-line-tokens: on\n", "1: command-line-tokens: must be a list of values"),
        Wrong(
            "command-line-tokens: []\n",
            "1: command-line-tokens: must name an origin; off: the command line gets no tokens"),
        Wrong(
            "command-line-tokens: [off, https://a.example]\n",
            "1: command-line-tokens: off stands alone, or origins in its place"),
        Wrong("automatic-sign-out: {idle: never}\n", "1: automatic-sign-out.idle: 'never' is not off or \(duration)"),
        Wrong("automatic-sign-out: {countdown: '-'}\n", "1: automatic-sign-out.countdown: '-' is not \(duration)"),
        Wrong(
            "automatic-sign-out:\n  at:\n    - 06:00\n    - 24:00\n    - 6:00\n    - 12:60\n",
            "4: automatic-sign-out.at: '24:00' is not a time of day, such as 06:00 or 22:30",
            "5: automatic-sign-out.at: '6:00' is not a time of day, such as 06:00 or 22:30",
            "6: automatic-sign-out.at: '12:60' is not a time of day, such as 06:00 or 22:30"),
        Wrong("browser:\n  kind: opera\n", "2: browser.kind: 'opera' is not none or chromium or firefox"),
        Wrong(
            "browser: {executable: chromium}\n",
            "1: browser.executable: 'chromium' is not the absolute path of a program"),
        Wrong(
            "browser: {start-page: 'file:///etc/passwd'}\n",
            "1: browser.start-page: 'file:///etc/passwd' is not an http or https address"),
        Wrong(
            "browser:\n  allow:\n    - example.org\n    - https://example.org/path\n",
            "4: browser.allow: 'https://example.org/path' is not an origin, such as https://intranet.example.org, or a host"
        ),
        Wrong("browser: {session-cookie: 'a b'}\n", "1: browser.session-cookie: 'a b' is not a cookie's name"),
        Wrong("strays: {files: forget}\n", "1: strays.files: 'forget' is not end or name"),
        Wrong("strays:\n  keep:\n    - tmp\n", "3: strays.keep: 'tmp' must be absolute or begin with ~/"),
        Wrong("strays: {keep: [/home/kiosk]}\n", "1: strays.keep: '/home/kiosk' \(hidesTooMuch)"),
        Wrong("strays: {keep: [~/.cache, /root]}\n", "1: strays.keep: '/root' \(hidesTooMuch)"),
        Wrong("strays: {keep: [/var]}\n", "1: strays.keep: '/var' \(hidesTooMuch)"),
        Wrong("strays: {keep: [/dev/shm]}\n", "1: strays.keep: '/dev/shm' \(hidesTooMuch)"),
        Wrong("shared-holders: {clipboard: wipe}\n", "1: shared-holders.clipboard: 'wipe' is not clear or leave"),
        Wrong("agent: {grace: 0s}\n", "1: agent.grace: '0s' is not a duration from 1s to 1min, such as 1500ms or 5s"),
        Wrong("browser: {sign-out: maybe}\n", "1: browser.sign-out: 'maybe' is not enforced or off"),
        Wrong("agent: {user: 'kiosk user'}\n", "1: agent.user: 'kiosk user' is not a user name"),
        Wrong("agent: {start: 1}\n", "1: agent.start: '1' is not true or false"),
        Wrong(
            "limits: {participants: 0}\n", "1: limits.participants: '0' is not a whole number from 1 to 4096"),
        Wrong("limits: {receipts: -5}\n", "1: limits.receipts: '-5' is not a whole number from 1 to 100000"),
        Wrong("limits: {receipts: 1e3}\n", "1: limits.receipts: '1e3' is not a whole number from 1 to 100000"),
        Wrong(
            "limits: {debts-per-user: 99999999999999999999}\n",
            "1: limits.debts-per-user: '99999999999999999999' is not a whole number from 1 to 4096"),
        Wrong("limits: {details: 64KB}\n", "1: limits.details: '64KB' is not a size from 4KiB to 1MiB, such as 64KiB"),
        Wrong(
            "limits: {details: 9223372036854775807MiB}\n",
            "1: limits.details: '9223372036854775807MiB' is not a size from 4KiB to 1MiB, such as 64KiB"),
        Wrong(
            "administrators:\n  - root\n  - '%'\n  - a:b\n", "3: administrators: '%' is not a user name, or %group",
            "4: administrators: 'a:b' is not a user name, or %group"),
        Wrong("remember-previous: sometimes\n", "1: remember-previous: 'sometimes' is not always, off or \(duration)"),
        Wrong("identity:\n  kind: ldap\n  authority: x\n", "2: identity.kind: 'ldap' is not local or oidc"),
        Wrong("mode: \"a\\e[31m\\nb\"\n", "1: mode: 'a?[31m?b' is not shared or default"),
    ]

    static let accounts = [
        Wrong("identity:\n  accounts:\n    - username: ana\n", "3: identity.accounts[0].name: is missing"),
        Wrong("identity:\n  accounts:\n    - name: Ana\n", "3: identity.accounts[0].username: is missing"),
        Wrong(
            "identity:\n  accounts:\n    - {username: ana, name: A}\n    - username: 'a b'\n      name: B\n",
            "4: identity.accounts[1].username: 'a b' is not a user name: 1 to 64 letters, digits and . _ @ + -, not beginning with -"
        ),
        Wrong(
            "identity:\n  accounts:\n    - {username: ana, name: ''}\n",
            "3: identity.accounts[0].name: the name must have 1 to 256 bytes and no control characters"),
        Wrong(
            "identity:\n  accounts:\n    - {username: ana, name: A, locale: '?'}\n",
            "3: identity.accounts[0].locale: '?' is not a locale, such as hr or de_AT"),
        Wrong(
            "identity:\n  accounts:\n    - username: ana\n      name: A\n      pin: 4711\n",
            "5: identity.accounts[0].pin: is not a PIN hash; batonctl hash-pin makes one"),
        Wrong(
            "identity:\n  accounts:\n    - username: ana\n      name: A\n      pin:\n",
            "5: identity.accounts[0].pin: has no value"),
        Wrong(
            "identity:\n  accounts:\n    - username: [ana]\n      name: A\n",
            "3: identity.accounts[0].username: must be one value"),
        Wrong(
            "identity:\n  accounts:\n    - {username: ana, name: A}\n    - {username: ana, name: B}\n",
            "4: identity.accounts[1].username: 'ana' is there twice, first in line 3"),
    ]

    static let constraints = [
        Wrong("barrier: {soft: 5s}\n", "1: barrier.soft: soft (5s) must be shorter than hard (5s)"),
        Wrong(
            "barrier:\n  containment: 6s\n",
            "2: barrier.containment: hard (5s) and containment (6s) together must not be longer than absolute (10s)"),
        Wrong(
            "barrier:\n  absolute: 7s\n",
            "2: barrier.absolute: hard (5s) and containment (3s) together must not be longer than absolute (7s)"),
        Wrong(
            "barrier:\n  absolute: 20001ms\n",
            "2: barrier.absolute: must not be longer than 20s: callers on the bus wait for 25 s at most"),
        Wrong(
            "automatic-sign-out: {preset: clinical, turn: 20s}\n",
            "1: automatic-sign-out.turn: turn (20s) must be longer than countdown (20s), which is its last part"),
        Wrong(
            "automatic-sign-out: {preset: clinical, lock: 100s}\n",
            "1: automatic-sign-out.lock: lock (100s) must be shorter than automatic-sign-out.idle without its countdown (100s)"
        ),
        Wrong(
            "automatic-sign-out: {lock-grace: 0s}\n",
            "1: automatic-sign-out.lock-grace: '0s' is not \(duration) of 1s or longer"),
        Wrong(
            "automatic-sign-out: {preset: hospital}\n",
            "1: automatic-sign-out.preset: 'hospital' is not clinical or retail or office"),
        Wrong(
            "automatic-sign-out: {idle: 60s}\n",
            "1: automatic-sign-out.idle: idle (1min) must be longer than countdown (1min), which is its last part"),
        Wrong(
            "limits: {participants: 10}\n",
            "1: limits.participants: participants-per-user (256) must not be more than participants (10)"),
    ]

    static let together = [
        Wrong("barrier: {soft: fast, hard: 1s}\n", "1: barrier.soft: 'fast' is not \(duration)"),
        Wrong("mode: a\nmode: b\n", "1: mode: 'a' is not shared or default", "2: mode: duplicate key, first in line 1"),
    ]

    static let texts = [
        Wrong("mode: shared\nbarrier:\n  soft: 1s\nmode: default\n", "4: mode: duplicate key, first in line 1"),
        Wrong(
            "barrier:\n  soft: 1s\n  soft: 2s\n  soft: 3s\nmode: shared\n\"mode\": shared\n",
            "3: barrier.soft: duplicate key, first in line 2", "4: barrier.soft: duplicate key, first in line 2",
            "6: mode: duplicate key, first in line 5"),
        Wrong("mode: [\n", "2: not YAML: did not find expected node content"),
        Wrong("mode: shared\n\tbarrier: 1\n", "2: not YAML: found a tab character that violates indentation"),
        Wrong("mode: shared\n---\nmode: shared\n", "2: not usable: but found another document"),
        Wrong("mode: shared\nmode2: a\u{1}b\n", "2: not readable text: control characters are not allowed"),
        Wrong("mode: *x\n", "1: not usable: found undefined alias"),
        Wrong("barrier: &x\n  soft: 1s\n", "1: barrier: anchors and aliases are not supported"),
        Wrong(
            "mode: &x shared\nremember-previous: *x\n", "1: mode: anchors and aliases are not supported",
            "1: remember-previous: anchors and aliases are not supported"),
        Wrong("? [a]\n: b\n", "1: a key must be plain text"),
    ]

    @Test(arguments: unknown + types + metrics + values + accounts + constraints + together + texts)
    func `every fault names file, line and key`(wrong: Wrong) {
        #expect(faults(wrong.text) == wrong.faults)
    }

    @Test func `all faults come at once, in the order of the file`() {
        let text = """
            mood: a
            barrier:
              soft: fast
              hrad: 5s
            limits:
              receipts: many
            """
        #expect(
            faults(text) == [
                "\(file):1: mood: unknown key", "\(file):3: barrier.soft: 'fast' is not \(duration)",
                "\(file):4: barrier.hrad: unknown key",
                "\(file):6: limits.receipts: 'many' is not a whole number from 1 to 100000",
            ])
    }

    @Test func `a PIN hash or PIN is never in a fault`() {
        let texts = [
            "identity:\n  accounts:\n    - {username: ana, name: A, pin: \"4711secret\"}\n",
            "identity:\n  accounts:\n    - {username: ana, name: A, pin: \"\(pinHash)x\"}\n  accounts: []\n",
            "identity:\n  accounts:\n    - {username: ana, name: A, pin: \"\(pinHash)\"\n",
        ]
        for text in texts {
            let faults = faults(text)
            #expect(!faults.isEmpty)
            for fault in faults { #expect(!fault.contains("4711secret") && !fault.contains("AAAA")) }
        }
    }

    static let hostile: [(String, String)] = [
        ("deep brackets", String(repeating: "[", count: 100_000)),
        ("deep closed brackets", "mode: " + String(repeating: "[", count: 900) + String(repeating: "]", count: 900)),
        ("deep braces", "a: " + String(repeating: "{a: ", count: 900) + String(repeating: "}", count: 900)),
        ("deep dashes", String(repeating: "- ", count: 100_000)),
        ("deep indentation", (0..<900).map { String(repeating: " ", count: $0) + "a:\n" }.joined()),
        ("deep questions", String(repeating: "? ", count: 100_000)),
        (
            "a storm of aliases",
            "a: &a [x,x,x,x,x,x,x,x,x]\n"
                + zip("bcdefgh", "abcdefg").map { new, old in
                    "\(new): &\(new) [" + Array(repeating: "*\(old)", count: 9).joined(separator: ",") + "]\n"
                }.joined() + "? *h\n: x\n"
        ),
        ("an alias to itself", "a: &a [*a]\n"),
        ("too large", String(repeating: "#\n", count: 1 << 20)),
        ("only a byte order mark", "\u{FEFF}"),
        ("many duplicates", String(repeating: "mode: shared\n", count: 500)),
        ("tags", "mode: !!python/object/new:os.system [x]\n!!int administrators: !!binary x\n"),
        ("a long key", String(repeating: "k", count: 5000) + ": x\n"),
        ("directives", "%YAML 9.9\n---\nmode: shared\n"),
        ("NUL", "mode: \"\\0\"\n"),
        ("merge key", "barrier: {<<: {soft: 1s}}\n"),
    ]

    @Test(arguments: hostile.map(\.0)) func `hostile text is refused and traps nothing`(name: String) throws {
        let text = try #require(Self.hostile.first { $0.0 == name }).1
        let found = faults(text)
        #expect(!found.isEmpty || name == "only a byte order mark")
        for fault in found { #expect(fault.hasPrefix("\(file):") && fault.count < 700) }
    }
}
