import BusTesting
import Testing

@testable import BatonctlProgram

/// Desktop files for apps' schemes, in folders of the test's own.
@Suite(.timeLimit(.minutes(1))) struct SchemeTests {
    private static let file = "data/applications/org.baton.scheme.org.example.Ward.desktop"

    private func makePlace() throws -> Workplace {
        let place = try Workplace()
        for (app, uri) in [
            ("org.example.Ward", "Org.Example.Ward://auth"), ("org.example.Web", "https://ward.example/auth"),
            ("org.example.Loop", "http://127.0.0.1/auth"), ("org.example.Mail", "mailto:ana"), ("org.example.None", ""),
        ] {
            let text = uri.isEmpty ? "name: Ward list\n" : "redirect-uri: '\(uri)'\n"
            try place.write(text, to: "config/baton/apps.d/\(app).yaml")
        }
        return place
    }

    private func run(
        _ place: Workplace, _ arguments: String...
    ) async throws -> (output: String, status: Int32) {
        try await place.batonctl(["apps", "install-scheme", "--user"] + arguments).end()
    }

    @Test func `An app with a scheme of its own gets a valid desktop file, and the desktop knows it`() async throws {
        let place = try makePlace()
        let first = try await run(place)
        #expect(first.status == 0)
        #expect(first.output.split(separator: "\n").count == 3, "\(first.output)")
        let names = try await ChildProcess(["ls", "\(place.folder)/data/applications"]).end().output
        #expect(names == "mimeinfo.cache\norg.baton.scheme.org.example.Ward.desktop\n")
        let text = try place.read(Self.file)
        #expect(text.contains("\nExec=\(Workplace.programs)/batonctl handle-url %u\n"))
        #expect(text.contains("\nMimeType=x-scheme-handler/org.example.ward;\n"))
        let check = try await ChildProcess(["desktop-file-validate", "\(place.folder)/\(Self.file)"]).end()
        #expect(check.output == "" && check.status == 0)
        let known = try await ChildProcess(
            ["xdg-mime", "query", "default", "x-scheme-handler/org.example.ward"], environment: place.environment()
        ).end()
        #expect(known.output == "org.baton.scheme.org.example.Ward.desktop\n")
    }

    @Test func `Doing it again changes nothing`() async throws {
        let place = try makePlace()
        _ = try await run(place)
        let again = try await run(place)
        #expect(again.output == "Unchanged \(place.folder)/\(Self.file): org.example.ward of org.example.Ward\n")
    }

    @Test func `xdg-open brings an address of the scheme to the device`() async throws {
        let place = try makePlace()
        _ = try await run(place)
        try await withPrivateBus { bus in
            let device = try await ProviderDevice(on: bus, [])
            let program = try place.batonctl(["sign-in"], on: bus)
            let opened = try await ChildProcess(
                ["xdg-open", "org.example.ward://auth?code=1&state=known"],
                environment: place.environment(bus, ["DISPLAY": ":99"])
            ).end()
            #expect(opened.status == 0, "\(opened.output)")
            #expect(await program.end().status == 0)
            await device.close()
        }
    }

    @Test func `A rehearsal says what would be done and does nothing`() async throws {
        let place = try makePlace()
        let rehearsal = try await run(place, "--dry-run")
        #expect(
            rehearsal.output == "Would write \(place.folder)/\(Self.file): org.example.ward of org.example.Ward\n")
        #expect(!place.exists("data"))
    }

    @Test func `Where no app has a scheme of its own, it says where it looked`() async throws {
        let place = try Workplace()
        let run = try await run(place)
        #expect(run.status == 0)
        #expect(run.output.contains("no app of \(place.folder)/config/baton/apps.d has"))
        #expect(!place.exists("data"))
    }

    @Test func `What no app has any more is taken away, and so is everything on request`() async throws {
        let place = try makePlace()
        _ = try await run(place)
        try place.write("name: Ward\n", to: "config/baton/apps.d/org.example.Ward.yaml")
        let without = try await run(place)
        #expect(without.output.hasPrefix("Removed \(place.folder)/\(Self.file)\n"))
        #expect(!place.exists(Self.file))
        try place.write("redirect-uri: 'a.b:/c'\n", to: "config/baton/apps.d/org.example.Ward.yaml")
        _ = try await run(place)
        #expect(place.exists(Self.file))
        _ = try await run(place, "--remove", "--app", "org.example.Other")
        #expect(place.exists(Self.file))
        _ = try await run(place, "--remove")
        #expect(!place.exists(Self.file))
        #expect(try await run(place, "--remove").output == "There is nothing to remove.\n")
    }

    @Test func `A file that somebody else wrote is left alone`() async throws {
        let place = try makePlace()
        try place.write("[Desktop Entry]\n", to: Self.file)
        #expect(try await run(place).output.contains("Left alone"))
        _ = try await run(place, "--remove")
        #expect(try place.read(Self.file) == "[Desktop Entry]\n")
    }

    @Test func `A fault in one file changes nothing, and names the line`() async throws {
        let place = try makePlace()
        try place.write("name: x\nredirect-uri: [\n", to: "config/baton/apps.d/org.example.Broken.yaml")
        let fault = try await run(place)
        #expect(fault.status == 78)
        #expect(fault.output.contains("org.example.Broken.yaml:"))
        #expect(!place.exists("data"))
    }

    @Test(arguments: ["org.example.Web", "org.example.None", "org.example.Nobody"])
    func `An app without a scheme of its own is refused by name`(app: String) async throws {
        let place = try makePlace()
        #expect(try await run(place, "--app", app).status == 1)
    }

    @Test(arguments: [
        ("/usr/bin/batonctl", "/usr/bin/batonctl"), ("/opt/b 1/x", #""/opt/b 1/x""#), ("/a%b", "/a%%b"),
        (#"/a"b"#, #""/a\\"b""#), (#"/a\b"#, #""/a\\\\b""#), ("/a$b", #""/a\\$b""#),
    ])
    func `A program's path is quoted as the specification says`(path: String, quoted: String) {
        #expect(SchemeHandler.quoted(path) == quoted)
    }

    @Test(arguments: [
        ("msauth.org.baton.batonctl://auth", "msauth.org.baton.batonctl"), ("msalabc://auth", "msalabc"),
        ("HTTPS://x", nil), ("mailto:x", nil), ("no scheme", nil), ("1x:y", nil), ("a;b:c", nil), ("", nil),
    ])
    func `Only a scheme that an app can own is its own`(uri: String, scheme: String?) {
        #expect(RedirectScheme.privateUse(of: uri) == scheme)
    }
}
