import ArgumentParser
import Baton
import DBus
import LocalAccounts
import SystemPackage
import Testing

@testable import BatonctlProgram

@Suite struct ExitStatusTests {
    @Test(arguments: zip(Outcome.allCases, [0, 4, 3, 5] as [Int32]))
    func `sign-out ends with its outcome`(outcome: Outcome, status: Int32) {
        #expect(ExitStatus.of(outcome) == status)
    }

    @Test func `each failure has its number`() {
        #expect(ExitStatus.of(BatonError(.notAuthorized, "")) == 77)
        #expect(ExitStatus.of(BatonError(.providerRejected, "")) == 1)
        #expect(ExitStatus.of(DeviceError.noDaemon("")) == 69)
        #expect(ExitStatus.of(DeviceError.notAllowed("")) == 77)
        #expect(ExitStatus.of(DeviceError.timedOut) == 1)
        #expect(ExitStatus.of(AccountsFile.Fault.unusable(path: "x")) == 78)
        #expect(ExitStatus.of(AccountsFile.Fault.exists(path: "x", username: "ana")) == 1)
        #expect(ExitStatus.of(AccountsFile.Fault.unknown(path: "x", username: "ana")) == 1)
        #expect(ExitStatus.of(AccountsFile.Fault.content(path: "x", line: 1, key: nil, message: "")) == 78)
        #expect(ExitStatus.of(AccountsFile.Fault.system(path: "x", 13)) == 77)
        #expect(ExitStatus.of(SettingsLocation.Unknown()) == 78)
        #expect(ExitStatus.of(PINFault.empty) == 1)
    }

    @Test(arguments: [
        ["nonsense"], ["status", "--system", "--session"], ["sign-out", "--reason", "boredom"],
        ["device-mode", "set", "unknown"], ["account", "add", "-x-"], ["account", "edit", "ana"],
        ["account", "add", "ana", "--keyboard", "de;reboot"], ["account", "edit", "ana", "--keyboard", "-option"],
        ["receipts", "seven"],
        ["sign-in", "ana", "bo"], ["sign-in", "--prompt", "maybe"], ["sign-in", "--max-age", "5"],
        ["sign-in", "--max-age", "99999999999999999999d"], ["sign-in", "--max-age", "-5s"], ["handle-url"],
        ["handle-url", "a:b", "c:d"], ["handle-url", "no-address"], ["handle-url", "a:b\u{1B}c"],
        ["apps", "install-scheme", "--user", "--system"], ["apps", "install-scheme", "--app", "../x"],
        ["token", "mail"], ["call"], ["call", "http://graph.microsoft.com/me"], ["call", "file:///x"],
        ["call", "https://x.example/", "--timeout", "0"],
    ])
    func `a wrong command line ends with 64`(arguments: [String]) {
        do {
            _ = try Batonctl.parseAsRoot(arguments)
            Issue.record("\(arguments) was taken")
        } catch {
            #expect(Batonctl.exitCode(for: error).rawValue == 64)
        }
    }

    @Test(arguments: [
        ["status", "--json", "--bus", "unix:path=/x"], ["device-mode"], ["device-mode", "set", "default"], ["account"],
        ["account", "--json"], ["account", "add", "ana", "--name", "Ana Horvat", "--locale", "hr", "--pin-stdin"],
        ["account", "remove", "ana", "--config", "/tmp/x"],
        ["account", "edit", "ana", "--locale", "", "--keyboard", "de(nodeadkeys)"], ["account", "set-pin", "ana"],
        ["sign-in", "ana"],
        ["sign-in"], ["sign-in", "--device-code", "--no-qr", "--json"], ["sign-in", "--no-browser"],
        ["sign-in", "--prompt", "login", "--max-age", "15min", "--login-hint", "ana", "--domain-hint", "ward.example"],
        ["sign-in", "--redirect-uri", "msauth.org.baton.batonctl://auth"], ["handle-url", "x.y://auth?code=1"],
        ["apps", "install-scheme"], ["apps", "install-scheme", "--app", "org.x", "--user", "--remove", "--dry-run"],
        ["sign-out", "--reason", "administrator"], ["keep-signed-in"], ["watch", "--json"], ["receipts", "1"],
        ["receipts", "--newest", "3"], ["apps"], ["apps", "--json"], ["apps", "forget", "org.x", "--uid", "3"],
        ["apps", "forget", "--all"], ["apps", "forget", "--all", "--uid", "3"],
        ["hash-pin", "--pin-stdin"], ["reset"], ["reload"], ["token", "--scope", "a", "--scope", "b", "--json"],
        ["token", "--interactive", "--force-refresh"], ["call", "https://graph.microsoft.com/v1.0/me"],
        ["call", "http://127.0.0.1:8090/me", "--scope", "a", "--timeout", "5", "--ca-file", "x", "--json"],
        ["participate", "org.example.PriceCheck", "--quiet", "--signed-in", "a b", "--clear", "c d"],
        ["participate", "org.example.PriceCheck", "--json"], ["run", "--app", "org.x", "--json", "--", "true"],
        ["run", "--app", "org.x", "--json-fd", "3", "--", "true"], ["hash-pin", "--config", "x", "--json"],
    ])
    func `the commands of the manual are understood`(arguments: [String]) throws {
        _ = try Batonctl.parseAsRoot(arguments)
    }

    @Test func `the settings file is where batond looks for it`() throws {
        let home = ["HOME": "/home/kiosk"]
        #expect(
            try SettingsLocation.file(explicit: nil, bus: .system, environment: home).path == "/etc/baton/baton.yaml")
        #expect(
            try SettingsLocation.file(explicit: nil, bus: nil, environment: ["BATON_BUS": "system"]).path
                == "/etc/baton/baton.yaml")
        #expect(
            try SettingsLocation.file(explicit: nil, bus: nil, environment: home).path
                == "/home/kiosk/.config/baton/baton.yaml")
        #expect(
            try SettingsLocation.file(explicit: nil, bus: .session, environment: ["XDG_CONFIG_HOME": "/c"]).path
                == "/c/baton/baton.yaml")
        #expect(try SettingsLocation.file(explicit: "x.yaml", bus: .system, environment: [:]).path == "x.yaml")
        #expect(
            try SettingsLocation.file(explicit: "/etc/baton/baton.yaml", bus: nil, environment: [:]).newMode == 0o640)
        #expect(throws: SettingsLocation.Unknown.self) {
            try SettingsLocation.file(explicit: nil, bus: nil, environment: ["HOME": "relative"])
        }
    }
}
