import Baton
import BusTesting
import DBus
import Glibc
import Testing

@testable import BatonctlProgram

/// The real program against a device with a provider, on a bus of its own.
@Suite(.timeLimit(.minutes(1))) struct ProviderSignInTests {
    private static let ana = Account(id: "https://id.example|1", username: "ana", name: "Ana Horvat")

    private func with(
        _ steps: [SignInStep], identity: IdentityKind? = .oidc,
        _ body: (PrivateBus, ProviderDevice, Workplace) async throws -> Void
    ) async throws {
        let place = try Workplace()
        try await withPrivateBus { bus in
            let device = try await ProviderDevice(on: bus, steps, identity: identity)
            try await body(bus, device, place)
            await device.close()
        }
    }

    /// The lines up to one that contains a text.
    private func lines(of program: ChildProcess, until text: String) async -> String {
        var lines = ""
        while let line = await program.nextLine() {
            lines += line + "\n"
            if line.contains(text) { break }
        }
        return lines
    }

    @Test func `The browser that BROWSER names gets the whole address, and its answer ends the sign-in`() async throws {
        try await with([ProviderDevice.page]) { bus, device, place in
            // What comes back through the device is what the browser was given.
            let browser = try place.write("#!/bin/sh\nexec batonctl handle-url \"$1\"\n", to: "browser", mode: 0o755)
            let run = try await place.batonctl(["sign-in", "--json"], on: bus, ["BROWSER": browser]).end()
            #expect(run.status == 0)
            #expect(run.output.contains(#""id":"\#(ProviderDevice.page.url)""#), "\(run.output)")
        }
    }

    @Test func `A browser that stays in the foreground holds up nothing`() async throws {
        try await with([ProviderDevice.page]) { bus, device, place in
            let browser = try place.write(
                "#!/bin/sh\nbatonctl handle-url \"$1\"\nwhile [ -e \"$0\" ]; do sleep 0.1; done\n", to: "browser",
                mode: 0o755)
            let run = try await place.batonctl(["sign-in"], on: bus, ["BROWSER": browser]).end()
            #expect(run.status == 0)
            #expect(run.output.contains("Ana Horvat (ana) holds the device (turn 5)."))
        }
    }

    @Test func `The address is printed, also where no browser can be opened`() async throws {
        try await with([ProviderDevice.page]) { bus, device, place in
            let program = try place.batonctl(["sign-in", "ana"], on: bus, ["PATH": "/nowhere"])
            let text = await lines(of: program, until: "xdg-open")
            #expect(text.contains("  \(ProviderDevice.page.url)\n"))
            #expect(text.contains("There is no xdg-open"))
            device.finish(.success(Self.ana))
            #expect(await program.end().status == 0)
            #expect(device.asked == ["method": .string("browser"), "login-hint": .string("ana")])
        }
    }

    @Test func `A browser that fails is told of`() async throws {
        try await with([ProviderDevice.page]) { bus, device, place in
            let program = try place.batonctl(["sign-in"], on: bus, ["BROWSER": "/bin/false"])
            #expect(await lines(of: program, until: "No browser").contains("No browser could be opened"))
            device.finish(.success(Self.ana))
            #expect(await program.end().status == 0)
        }
    }

    @Test(arguments: [
        (["--no-browser"], ProviderDevice.page),
        ([], SignInStep(kind: .openURL, url: ProviderDevice.page.url, opener: .agent)),
        (["--device-code"], ProviderDevice.code),
    ])
    func `No browser is opened where that is not batonctl's part`(options: [String], step: SignInStep) async throws {
        try await with([step]) { bus, device, place in
            // Both would end the sign-in, and the first one is told by its name.
            let browser = try place.write("#!/bin/sh\nexec batonctl handle-url \"$1\"\n", to: "browser", mode: 0o755)
            let program = try place.batonctl(["sign-in"] + options, on: bus, ["BROWSER": browser])
            let text = await lines(of: program, until: "Waiting")
            #expect(text.contains(step.url) == (step.opener == .caller))
            device.finish(.success(Account(id: "by the test", username: "bo", name: "Bo")))
            let end = await program.end()
            #expect(end.output.contains("Bo (bo) holds the device (turn 5)."), "\(end.output)")
        }
    }

    @Test func `Ctrl-C cancels, and it is said who did`() async throws {
        try await with([ProviderDevice.page]) { bus, device, place in
            let program = try place.batonctl(["sign-in", "--no-browser"], on: bus)
            _ = await lines(of: program, until: "Waiting")
            kill(program.processID, SIGINT)
            let end = await program.end()
            #expect(end.status == 1)
            #expect(end.output == "You cancelled the sign-in.\n")
        }
    }

    @Test(arguments: [
        BatonError(.userCanceled, "The sign-in took too long and was cancelled. Try again."),
        BatonError(.userCanceled, "The sign-in was cancelled at the identity provider."),
        BatonError(.notAuthorized, "Accounts of this tenant may not hold the device."),
        BatonError(.accountMismatch, "Another worker holds the device."),
        BatonError(.providerUnreachable, "The provider \u{1B}[2Jdoes not answer."),
    ])
    func `Each way of ending is told in batond's words`(refusal: BatonError) async throws {
        try await with([]) { bus, device, place in
            device.finish(.failure(refusal))
            let run = try await place.batonctl(["sign-in"], on: bus).end()
            #expect(run.status == 1)
            #expect(run.output == refusal.message.printable + "\n")
        }
    }

    @Test func `A program reads the steps and the result as lines of standard output`() async throws {
        try await with([ProviderDevice.page, ProviderDevice.code]) { bus, device, place in
            let output = "\(place.folder)/output"
            // The command ends with the sign-in that the second step's line lets begin to end.
            let script = """
                batonctl sign-in --json --no-browser 2>\(output) | while read -r line; do
                    echo "$line"
                    case $line in *device-code*) batonctl handle-url 'x.y://auth?state=known' ;; esac
                done
                """
            let run = try await ChildProcess(["sh", "-c", script], environment: place.environment(bus)).end()
            let lines = run.output.split(separator: "\n")
            #expect(lines.count == 3, "\(run.output)")
            #expect(lines.first?.hasPrefix(#"{"step":{"expires":0,"kind":"open-url","#) == true)
            #expect(lines.last?.hasPrefix(#"{"account":{"#) == true)
            #expect(lines.last?.hasSuffix(#""epoch":5}"#) == true)
            #expect(try place.read("output") == "")
        }
    }

    @Test func `Every option reaches the device`() async throws {
        try await with([]) { bus, device, place in
            device.finish(.success(Self.ana))
            let options = [
                "--device-code", "--prompt", "login", "--max-age", "15min", "--login-hint", "ana", "--domain-hint",
                "ward.example", "--redirect-uri", "x.y://auth",
            ]
            let run = try await place.batonctl(["sign-in"] + options, on: bus).end()
            #expect(run.status == 0, "\(run.output)")
            #expect(
                device.asked == [
                    "method": .string("device-code"), "prompt": .string("login"), "max-age": .uint64(900),
                    "login-hint": .string("ana"), "domain-hint": .string("ward.example"),
                    "redirect-uri": .string("x.y://auth"),
                ])
        }
    }

    @Test(
        arguments: [
            (.local, []), (.local, ["ana", "--device-code"]), (.local, ["ana", "--no-browser"]), (nil, []),
            (.oidc, ["ana", "--pin-stdin"]), (.oidc, ["ana", "--login-hint", "bo"]),
        ] as [(IdentityKind?, [String])])
    func `What does not go with the device's kind of accounts is wrong usage`(
        identity: IdentityKind?, arguments: [String]
    ) async throws {
        try await with([], identity: identity) { bus, device, place in
            let run = try await place.batonctl(["sign-in"] + arguments, on: bus).end()
            #expect(run.status == 64, "\(run.output)")
            #expect(device.asked.isEmpty)
        }
    }

    @Test func `On a terminal a device code comes with a coloured QR code and the time that is left`() async throws {
        try await with([ProviderDevice.code]) { bus, device, place in
            let program = try ChildProcess(
                [
                    "script", "--quiet", "--return", "--command", "stty cols 100; batonctl sign-in --device-code",
                    "/dev/null",
                ],
                environment: place.environment(bus))
            let text = await lines(of: program, until: "Waiting")
            #expect(text.contains("Address  https://id.example/device"))
            #expect(text.contains("Code     ABCD-EFGH"))
            let rows = text.split(separator: "\r\n").filter { $0.hasPrefix("\u{1B}[38;5;16;48;5;231m") }
            #expect(rows.count > 10)
            device.finish(.success(Self.ana))
            let end = await program.end()
            #expect(end.status == 0)
            #expect(end.output.contains(":") && end.output.contains(" left"))
            #expect(end.output.contains("Ana Horvat (ana) holds the device"))
        }
    }

    @Test(arguments: [(20, "too narrow"), (100, "")])
    func `A QR code that does not fit the window is not shown`(columns: Int, note: String) async throws {
        try await with([ProviderDevice.code]) { bus, device, place in
            let program = try ChildProcess(
                [
                    "script", "--quiet", "--return", "--command",
                    "stty cols \(columns); batonctl sign-in --device-code", "/dev/null",
                ], environment: place.environment(bus))
            let text = await lines(of: program, until: "Waiting")
            #expect(text.contains("▀") == note.isEmpty)
            #expect(note.isEmpty || text.contains(note))
            device.finish(.success(Self.ana))
            #expect(await program.end().status == 0)
        }
    }
}
