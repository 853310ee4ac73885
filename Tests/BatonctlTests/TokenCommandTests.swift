import Baton
import BusTesting
import DBus
import Glibc
import Testing

@testable import BatonctlProgram

/// `batonctl token` as the real program, against a device on a bus of its own.
@Suite(.timeLimit(.minutes(1))) struct TokenCommandTests {
    private func with(
        origins: [String]? = [], refusal: BatonError? = nil,
        _ body: (PrivateBus, TokenDevice, Workplace) async throws -> Void
    ) async throws {
        let place = try Workplace()
        try await withPrivateBus { bus in
            let device = try await TokenDevice(on: bus, origins: origins, refusal: refusal)
            try await body(bus, device, place)
            await device.close()
        }
    }

    @Test func `the token and nothing else is printed, by an app that leaves when it has it`() async throws {
        try await with { bus, device, place in
            let run = try await place.batonctl(["token", "--scope", "mail", "--scope", "files"], on: bus).end()
            #expect(run.status == 0 && run.output == TokenDevice.secret + "\n", "\(run.output)")
            #expect(
                device.heard == [
                    .registered("org.baton.batonctl.token"), .acknowledged("nothing-to-clear"),
                    .token(isSilent: true, ["scopes": .strings(["mail", "files"])]), .left,
                ])
        }
    }

    @Test func `a program gets all of it as JSON`() async throws {
        try await with { bus, device, place in
            let run = try await place.batonctl(["token", "--json", "--force-refresh"], on: bus).end()
            #expect(run.status == 0)
            for part in [
                #""access-token" : "\#(TokenDevice.secret)""#, #""expires" : 4102444800"#, #""epoch" : 5"#,
                #""username" : "ana""#, #""correlation-id" : "c-1""#,
            ] {
                #expect(run.output.contains(part), "\(run.output)")
            }
            #expect(device.heard.contains(.token(isSilent: true, ["force-refresh": .boolean(true)])))
        }
    }

    @Test func `on a terminal it is said what that is`() async throws {
        try await with { bus, device, place in
            let run = try await ChildProcess(
                ["script", "--quiet", "--return", "--command", "batonctl token", "/dev/null"],
                environment: place.environment(bus)
            ).end()
            #expect(run.status == 0)
            #expect(run.output.contains("An access token of Ana Horvat (ana) for mail, valid until"), "\(run.output)")
        }
    }

    @Test(arguments: [["token"], ["call", "http://127.0.0.1:1/"]])
    func `while the setting is off the command says which, and asks for nothing`(arguments: [String]) async throws {
        try await with(origins: nil) { bus, device, place in
            let run = try await place.batonctl(arguments, on: bus).end()
            #expect(run.status == 78)
            #expect(run.output.contains("command-line-tokens is off"), "\(run.output)")
            #expect(device.heard.isEmpty)
        }
    }

    @Test func `a refusal comes in batond's words`() async throws {
        try await with(refusal: BatonError(.notAuthorized, "The setting says no.")) { bus, device, place in
            let run = try await place.batonctl(["token"], on: bus).end()
            #expect(run.status == 77 && run.output == "The setting says no.\n")
            #expect(device.heard.last == .left)
        }
    }

    @Test func `a page is opened only for who wants one`() async throws {
        try await with(refusal: BatonError(.interactionRequired, "Ask the worker.")) { bus, device, place in
            let silent = try await place.batonctl(["token"], on: bus).end()
            #expect(silent.status == 1 && silent.output == "Ask the worker.\n")
            let asking = try await place.batonctl(["token", "--interactive"], on: bus).end()
            #expect(asking.status == 0 && asking.output == TokenDevice.secret + "\n", "\(asking.output)")
        }
    }

    @Test func `Ctrl-C ends it, and it has left`() async throws {
        let place = try Workplace()
        try await withPrivateBus { bus in
            // A device that is there and never lets the app in.
            let connection = try await bus.connect()
            let (asked, ask) = AsyncStream.makeStream(of: Void.self)
            var object = ServedObject()
            object.answer(Device1.getDeviceMode) { _, _ in "shared" }
            object.answer(Device1.getDeviceInformation) { _, _ in
                ["journal-id": .string("j"), "command-line-origins": .strings([])]
            }
            object.answer(Participants.register) { _, _ in
                ask.yield()
                try await Task.sleep(for: .seconds(3600))
                return (1, 5, "in-use", 0, [:])
            }
            try await connection.serve(object, at: Device1.path)
            try await connection.own(Device1.busName)
            let program = try place.batonctl(["token"], on: bus)
            for await _ in asked { break }
            kill(program.processID, SIGINT)
            let end = await program.end()
            #expect(end.status == 1 && end.output == "Interrupted.\n", "\(end.output)")
            await connection.close()
        }
    }
}
