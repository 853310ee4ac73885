import Configuration
import LocalAccounts
import Settings
import Testing
import Vocabulary

@Suite struct SettingsTests {
    @Test(arguments: ["", "# nothing\n", "---\n", "barrier:\n", "barrier: {}\nidentity: ~\n"])
    func `nothing written means the defaults`(text: String) throws {
        for scope in [Settings.Scope.system, .session] {
            #expect(try parse(text, scope: scope).settings == Settings(defaultsFor: scope))
        }
    }

    @Test func `asterisks in comments and values are no aliases`() throws {
        let text = String(repeating: "  # *every* word *here* is **important**\n", count: 20)
        #expect(try parse(text + "mode: shared # *really*\n").settings == Settings(defaultsFor: .system))
    }

    @Test func `the agent's defaults follow the bus`() throws {
        let system = try parse("").settings.agent
        #expect(system.user == "kiosk" && system.required && !system.start)
        let session = try parse("", scope: .session).settings.agent
        #expect(session.user == nil && session.required && session.start)
    }

    @Test func `on the system bus tokens are for listed apps alone, unless the settings say otherwise`() throws {
        #expect(try parse("").settings.tokens == .listed)
        #expect(try parse("", scope: .session).settings.tokens == .any)
        #expect(try parse("tokens: listed\n", scope: .session).settings.tokens == .listed)
    }

    @Test func `every key is read`() throws {
        let text = """
            mode: default
            identity:
              kind: local
              accounts:
                - {username: ana, name: Ana Horvat, locale: hr, pin: "\(pinHash)"}
                - username: 1042
                  name: Ben
            barrier: {soft: 1s, hard: 2s, absolute: 20s, containment: 18s, unproven: quarantine, unlisted-apps: refuse}
            automatic-sign-out: {idle: off, countdown: 0s, any-input: false, at: [22:30, "06:00", 06:00]}
            browser:
              kind: firefox
              executable: /opt/firefox/firefox
              start-page: https://intranet.example.org/start
              address: https://Till.example.org:443
              allow: [https://intranet.example.org, CDN.example.org]
              sign-out: off
              spare: false
              session-cookie: KEYCLOAK_SESSION
              arguments: [--lang=hr]
            agent: {user: terminal, required: false, start: true, grace: 20s, accept-weak-proof: true}
            strays: {processes: name, files: end, keep: [~/.cache/fontconfig, /tmp/.X11-unix]}
            shared-holders: {clipboard: leave, microsoft-cache: clear}
            sign-in-timeout: 1min
            tokens: any
            command-line-tokens: [https://Graph.Microsoft.com, "http://127.0.0.1:8080", https://a.example:443/]
            limits: {participants: 10, participants-per-user: 9, debts-per-user: 8, details: 4KiB, receipts: 7}
            log: {names: plain}
            metrics: {textfile: /run/baton-metrics/baton.prom, socket: /run/baton-metrics/baton.sock}
            administrators: [root, "%wheel"]
            remember-previous: 1h
            keep-receipts: 1d
            """
        let parsed = try parse(text)
        let settings = parsed.settings
        #expect(settings.mode == .personal)
        #expect(
            settings.commandLineOrigins
                == ["https://graph.microsoft.com", "http://127.0.0.1:8080", "https://a.example"])
        #expect(settings.tokens == .any)
        #expect(settings.accounts.map(\.username) == ["ana", "1042"])
        #expect(settings.accounts.first?.locale == "hr")
        #expect(settings.accounts.first?.pin == PINHash(text: pinHash))
        #expect(settings.barrier.soft == .seconds(1) && settings.barrier.hard == .seconds(2))
        #expect(settings.barrier.absolute == .seconds(20) && settings.barrier.containment == .seconds(18))
        #expect(settings.barrier.unproven == .quarantine && settings.barrier.unlistedApps == .refuse)
        #expect(settings.automaticSignOut.idle == nil && settings.automaticSignOut.countdown == .zero)
        #expect(!settings.automaticSignOut.anyInputStays)
        #expect(settings.automaticSignOut.at.map { [$0.hour, $0.minute] } == [[6, 0], [22, 30]])
        #expect(settings.browser.kind == .firefox && settings.browser.executable == "/opt/firefox/firefox")
        #expect(settings.browser.startPage == "https://intranet.example.org/start")
        #expect(settings.browser.address == "https://till.example.org")
        #expect(settings.browser.allow == ["https://intranet.example.org", "cdn.example.org"])
        #expect(settings.browser.signOut == .off && !settings.browser.hasSpare)
        #expect(settings.browser.sessionCookie == "KEYCLOAK_SESSION" && settings.browser.arguments == ["--lang=hr"])
        #expect(settings.metrics.textfile == "/run/baton-metrics/baton.prom")
        #expect(settings.metrics.socket == "/run/baton-metrics/baton.sock")
        #expect(settings.agent.grace == .seconds(20) && settings.agent.acceptsWeakProof)
        #expect(settings.strays.processes == .name && settings.strays.files == .end)
        #expect(settings.strays.keep == ["~/.cache/fontconfig", "/tmp/.X11-unix"])
        #expect(
            settings.holders.cleared
                == [.keyring, .microsoftCache, .downloads, .recentFiles, .thumbnails, .printJobs])
        #expect(settings.agent.user == "terminal" && !settings.agent.required && settings.agent.start)
        #expect(settings.signInTimeout == .seconds(60))
        #expect(settings.limits.participants == 10 && settings.limits.participantsPerUser == 9)
        #expect(settings.limits.debtsPerUser == 8 && settings.limits.details == 4096 && settings.limits.receipts == 7)
        #expect(settings.log.names == .plain)
        #expect(settings.administrators == [.user("root"), .group("wheel")])
        #expect(settings.rememberPrevious == .duration(.seconds(3600)))
        #expect(settings.keepReceipts == .seconds(86400))
        #expect(
            parsed.warnings.map(\.description) == [
                "\(file):6: identity.accounts[1]: '1042' has no PIN and cannot sign in; batonctl account set-pin gives one"
            ])
    }

    @Test(arguments: [("1500ms", 1500), ("5s", 5000), ("15min", 900_000), ("1h", 3_600_000), ("90d", 7_776_000_000)])
    func `durations are whole numbers with a unit`(text: String, milliseconds: Int) throws {
        let settings = try parse("remember-previous: \(text)\n").settings
        #expect(settings.rememberPrevious == .duration(.milliseconds(milliseconds)))
    }

    @Test func `an upper layer goes before the file, the first one before the second`() throws {
        let first = SettingsLayer("test", provider: InMemoryProvider(values: ["barrier.soft": "1s"]))
        let second = SettingsLayer(
            "test", provider: InMemoryProvider(values: ["barrier.soft": "2s", "barrier.hard": "4s"]))
        let barrier = try parse("barrier: {soft: 3s, hard: 6s, containment: 1s}\n", layers: [first, second]).settings
            .barrier
        #expect(barrier.soft == .seconds(1) && barrier.hard == .seconds(4) && barrier.containment == .seconds(1))
    }

    @Test func `the environment sets values and lists`() throws {
        let environment = SettingsLayer.environment([
            "BATON_BARRIER_SOFT": "2s", "BATON_ADMINISTRATORS": "root,%wheel", "BATON_AUTOMATIC_SIGN_OUT_AT": "06:00",
            "BATON_LIMITS_PARTICIPANTS_PER_USER": "5", "PATH": "/bin", "Path": "/", "baton_mode": "default",
        ])
        let parsed = try parse("barrier:\n  soft: 1s\n", layers: [environment])
        #expect(parsed.settings.barrier.soft == .seconds(2))
        #expect(parsed.settings.administrators == [.user("root"), .group("wheel")])
        #expect(parsed.settings.automaticSignOut.at.count == 1)
        #expect(parsed.settings.limits.participantsPerUser == 5)
        #expect(parsed.settings.mode == .shared)
        #expect(parsed.warnings.isEmpty)
    }

    @Test(arguments: [("clinical", 120, 20, 60 as Int?), ("retail", 300, 30, nil), ("office", 900, 60, nil)])
    func `a preset says what no other key does`(preset: String, idle: Int, countdown: Int, lock: Int?) throws {
        let alone = try parse("automatic-sign-out: {preset: \(preset)}\n").settings.automaticSignOut
        #expect(alone.idle == .seconds(idle) && alone.countdown == .seconds(countdown) && alone.turn == nil)
        #expect(alone.lock == lock.map { .seconds($0) })
        let changed = try parse("automatic-sign-out: {preset: \(preset), idle: off, turn: 8h}\n").settings
            .automaticSignOut
        #expect(changed.idle == nil && changed.countdown == .seconds(countdown) && changed.turn == .seconds(8 * 3600))
    }

    @Test func `a fault of the environment names the variable`() {
        let found = faults(
            "mode: shared\n", layers: [.environment(["BATON_BARRIER_SOFT": "fast", "BATON_ADMINISTRATORS": "%"])])
        #expect(found.count == 2)
        #expect(found.contains { $0.hasPrefix("environment BATON_BARRIER_SOFT: barrier.soft: 'fast' is not") })
        #expect(found.contains { $0.hasPrefix("environment BATON_ADMINISTRATORS: administrators: '%' is not") })
    }

    @Test func `a constraint that the environment breaks is a fault of the environment`() {
        let found = faults("", layers: [.environment(["BATON_BARRIER_SOFT": "6s"])])
        #expect(found == ["environment BATON_BARRIER_SOFT: barrier.soft: soft (6s) must be shorter than hard (5s)"])
    }

    @Test func `a value of another type in a layer is a fault`() {
        let layer = SettingsLayer("test", provider: InMemoryProvider(values: ["mode": 5]))
        #expect(faults("", layers: [layer]) == ["test: mode: must be text"])
    }

    @Test func `a variable that means nothing is a warning`() throws {
        let parsed = try parse("", layers: [.environment(["BATON_BARIER_SOFT": "2s"])])
        #expect(parsed.warnings.map(\.description) == ["environment BATON_BARIER_SOFT: has no effect, ignored"])
    }

    @Test func `accounts cannot come from the environment`() throws {
        let parsed = try parse("", layers: [.environment(["BATON_IDENTITY_ACCOUNTS": "ana"])])
        #expect(parsed.settings.accounts.isEmpty)
        #expect(parsed.warnings.count == 1)
    }
}
