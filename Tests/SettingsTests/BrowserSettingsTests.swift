import Settings
import Testing
import Vocabulary

@Suite struct BrowserSettingsTests {
    @Test(arguments: [
        "--no-sandbox", "-no-sandbox", "--No-Sandbox", "--disable-setuid-sandbox", "--disable-namespace-sandbox",
        "--disable-gpu-sandbox", "--remote-debugging-port=9222", "--remote-debugging-pipe", "--remote-allow-origins=*",
        "-marionette", "--start-debugger-server", "--user-data-dir=/tmp/x", "--load-extension=/x", "-profile", "-P",
        "--disable-web-security", "--allow-loopback-in-peer-connection", "--ignore-certificate-errors",
        "--renderer-cmd-prefix=/bin/sh", "https://example.org", "", "-", "--", "--lang=\u{7}",
    ]) func `an argument that undoes what a sign-out rests on is refused with its line`(argument: String) {
        let quoted = argument.contains("\u{7}") ? "--lang=\\a" : argument
        let found = faults("browser:\n  arguments:\n    - --lang=hr\n    - \"\(quoted)\"\n")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("\(file):4: browser.arguments: ") == true, "\(found)")
    }

    @Test(arguments: [
        "--lang=hr", "--force-device-scale-factor=2", "--host-resolver-rules=MAP * 127.0.0.1", "-headless",
    ]) func `other arguments are taken`(argument: String) throws {
        #expect(try parse("browser: {arguments: [\"\(argument)\"]}\n").settings.browser.arguments == [argument])
    }

    @Test(arguments: [
        ("https://baton.example.org", "https://baton.example.org"),
        ("https://Baton.Example.org:8443", "https://baton.example.org:8443"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://localhost:80", "http://localhost"),
    ]) func `an address is an origin, written as browsers write it`(text: String, origin: String) throws {
        #expect(try parse("browser: {address: \"\(text)\"}\n").settings.browser.address == origin)
    }

    @Test(arguments: [
        "http://baton.example.org", "https://baton.example.org/", "https://a@b", "baton.invalid", "ftp://baton", "",
        "https://baton.invalid?x", "https://baton invalid",
    ]) func `an address that is no origin, or that others could read, is refused`(text: String) {
        let found = faults("browser: {address: \"\(text)\"}\n")
        #expect(found.count == 1 && found.first?.contains("browser.address: ") == true, "\(found)")
    }

    @Test func `a desktop is the kiosk user's, or each turn's with a program of its own`() throws {
        #expect(try parse("").settings.desktop == DesktopSettings())
        let desktop = try parse("desktop: {kind: turn, command: [/usr/bin/sway, -c, a b], home: \"\"}\n").settings
            .desktop
        #expect(desktop.kind == .turn && desktop.command == ["/usr/bin/sway", "-c", "a b"] && desktop.home.isEmpty)
        #expect(try parse("desktop: {kind: turn, command: /usr/bin/openbox}\n").settings.desktop.command.count == 1)
    }

    @Test(arguments: [
        ("{kind: turn}", "desktop.command"), ("{kind: turn, command: sway}", "desktop.command"),
        ("{kind: gnome}", "desktop.kind"), ("{home: skel}", "desktop.home"),
        ("{command: [/usr/bin/sway, 1: 2]}", "desktop"),
    ]) func `a desktop that cannot be started is refused`(text: String, key: String) {
        #expect(faults("desktop: \(text)\n").first?.contains(key) == true)
    }

    @Test func `on a session bus the user is a person, whose programs and files are left alone`() throws {
        let (system, session) = (try parse("").settings, try parse("", scope: .session).settings)
        #expect(system.strays.processes == .end && system.strays.files == .end)
        #expect(session.strays.processes == .name && session.strays.files == .name)
        #expect(session.holders.cleared == [.clipboard])
        #expect(system.holders.cleared == Set(HolderName.allCases).subtracting([.microsoftCache]))
    }

    @Test func `a managed browser is where a log-out leads back to, unless the settings say where`() throws {
        let identity = "identity:\n  kind: oidc\n  authority: https://id.example.org\n  client-id: x\n"
        let browser = "browser: {kind: chromium, address: https://till.example.org}\n"
        func place(_ more: String, _ browser: String) throws -> String? {
            try parse(identity + more + browser).settings.openID?.postLogoutRedirectURI
        }
        #expect(try place("", browser) == "https://till.example.org/signed-out")
        #expect(try place("  loopback-port: 7777\n", browser) == "https://till.example.org/signed-out")
        #expect(
            try place("  post-logout-redirect-uri: https://a.example.org/x\n", browser) == "https://a.example.org/x")
        #expect(try place("", "") == nil)
        #expect(try place("  loopback-port: 7777\n", "") == "http://127.0.0.1:7777/signed-out")
    }
}
