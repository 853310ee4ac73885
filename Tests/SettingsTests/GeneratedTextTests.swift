import GeneratedInput
import Settings
import Testing

@Suite("Settings and apps' files that nobody thought of", .timeLimit(.minutes(3)))
struct GeneratedTextTests {
    private static let texts = [
        Settings.example,
        """
        mode: shared
        identity: {kind: local, accounts: [{username: ana, name: Ana, pin: "\(pinHash)"}]}
        barrier: {soft: 1s, hard: 2s, containment: 500ms, absolute: 5s, unproven: owe, unlisted-apps: accept}
        automatic-sign-out: {idle: 5m, countdown: 10s, at: ["06:00", "22:00"]}
        browser: {kind: chromium, start-page: "https://a.example/", allow: [a.example], sign-out: enforced, spare: true}
        limits: {participants: 10, details: 100, receipts: 5}
        administrators: [root, "%wheel"]
        """,
        """
        identity:
          kind: oidc
          authority: https://id.example/tenant
          client-id: device
          scopes: [openid, profile]
          allowed-domains: [example.org]
        """,
    ]

    private static let app = """
        name: {en: Ward list, de: Stationsliste}
        command: [/usr/bin/ward, --full]
        environment: {A: b}
        participant: required
        wipe: [~/.cache/ward, /var/tmp/ward]
        keep: [~/.cache/ward/printer.conf]
        redirect-uri: msauth.org.example.ward://auth
        scopes: [User.Read]
        home: {keep: [~/a], read-only: [~/b], wipe: [~/c]}
        """

    /// They are either taken or refused with faults that a person can read in a terminal; nothing else happens.
    @Test func `settings are taken or refused`() {
        var input = GeneratedInput(seed: 6)
        var refused = 0
        for round in 0..<1000 {
            let text = input.changed(Self.texts[round % Self.texts.count])
            do throws(SettingsFaults) {
                _ = try Settings.parse(text, file: file, scope: round % 2 == 0 ? .system : .session)
            } catch {
                refused += 1
                for fault in error.all { expectPlain(fault.description) }
            }
        }
        #expect(refused > 100)
    }

    @Test func `apps' files are taken or refused`() throws {
        var input = GeneratedInput(seed: 7)
        for _ in 0..<1000 {
            let app = AppFile(id: "org.example.Ward", file: "/etc/baton/apps.d/a.yaml", text: input.changed(Self.app))
            let parsed = try parse("mode: shared\n", apps: [app])
            for fault in parsed.appFaults { expectPlain("\(fault)") }
        }
    }

    @Test func `variables are taken or refused, whatever they are called`() throws {
        let names = ["BATON_\u{1B}[2J", "BATON_A\nBATOND: READY", "BATON_\u{7F}"]
        let variables = Dictionary(uniqueKeysWithValues: names.map { ($0, "x") })
        for warning in try parse("", layers: [.environment(variables)]).warnings { expectPlain(warning.description) }
        for name in names {
            let found = faults("", layers: [.environment([name + "_CLIENT_SECRET": "x"])])
            #expect(found.count == 1)
            for fault in found { expectPlain(fault) }
        }
    }

    private func expectPlain(_ text: String, location: SourceLocation = #_sourceLocation) {
        #expect(!text.isEmpty, sourceLocation: location)
        // Nothing that moves a cursor or begins a line that looks like another message.
        #expect(
            text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F },
            "\(text.debugDescription)",
            sourceLocation: location)
    }
}
