import BusTesting
import DBus
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CallTests {
    @Test func `a call reaches the handler and its answer the caller`() async throws {
        try await withSample { _, server, client async throws in
            #expect(try await client.call(Sample.echo, "héllo", to: server.uniqueName, at: Sample.path) == "héllo")
            let (options, number) = try await client.call(
                Sample.swap, (7, ["x": .dictionary(["y": .strings(["z"])])]), to: server.uniqueName, at: Sample.path)
            #expect(number == 7)
            #expect(options == ["x": .dictionary(["y": .strings(["z"])])])
        }
    }

    @Test func `a handler is told whether a person may be asked meanwhile`() async throws {
        let heard = Happenings<Bool>()
        try await withSample(extend: { object in
            object.answer(Sample.echo) { caller, text in
                heard.report(caller.allowsInteraction)
                return text
            }
        }) { bus, server, client async throws in
            for options: CallOptions in [[], .allowInteraction] {
                _ = try await client.call(
                    Sample.echo, "a", to: server.uniqueName, at: Sample.path, options: options)
            }
            #expect(await [heard.next(), heard.next()] == [false, true])
            for word in ["no", "yes"] {
                let call = try await ChildProcess([
                    "busctl", "--address=\(bus.rawAddress)", "--allow-interactive-authorization=\(word)", "call",
                    server.uniqueName.rawValue, Sample.path.rawValue, "org.example.Sample", "Echo", "s", "a",
                ]).end()
                #expect(call.status == 0, "\(call.output)")
            }
            #expect(await [heard.next(), heard.next()] == [false, true])
        }
    }

    @Test func `structures travel as they are, also to other people's tools`() async throws {
        let swap = Method(
            Sample.interface, "Turn",
            takes: Arguments(("pair", StructureOfTwo<String, [String: UInt32]>.self), ("text", String.self)),
            gives: Arguments(("three", StructureOfThree<Bool, String, [String: UInt32]>.self)))
        try await withSample(extend: { object in
            object.answer(swap) { _, input in
                StructureOfThree(input.0.second.isEmpty, input.0.first + input.1, input.0.second)
            }
        }) { bus, server, client async throws in
            let answer = try await client.call(
                swap, (StructureOfTwo("a", ["x": 7]), "b"), to: server.uniqueName, at: Sample.path)
            #expect(answer.first == false && answer.second == "ab" && answer.third == ["x": 7])
            let call = try await ChildProcess([
                "busctl", "--address=\(bus.rawAddress)", "call", server.uniqueName.rawValue, Sample.path.rawValue,
                "org.example.Sample", "Turn", "(sa{su})s", "a", "1", "x", "7", "b",
            ]).end()
            #expect(call.output == "(bsa{su}) false \"ab\" 1 \"x\" 7\n")
        }
    }

    @Test func `two connections may share a thread and call each other`() async throws {
        try await withPrivateBus { bus in
            let server = try await bus.connect()
            let client = try await Connection.open(bus.address, on: server.thread)
            var object = ServedObject()
            object.answer(Sample.echo) { _, text in text }
            try await server.serve(object, at: Sample.path)
            #expect(try await client.call(Sample.echo, "a", to: server.uniqueName, at: Sample.path) == "a")
        }
    }

    @Test func `a call that is not answered in time fails`() async throws {
        try await withSample { _, server, client async throws in
            await #expect(throws: DBusError.timedOut) {
                try await client.call(
                    Sample.wait, to: server.uniqueName, at: Sample.path, timeout: .milliseconds(30))
            }
            // The connection is as good as before.
            #expect(try await client.call(Sample.echo, "a", to: server.uniqueName, at: Sample.path) == "a")
        }
    }

    @Test func `a cancelled call ends at once`() async throws {
        let started = Happenings<Void>()
        try await withSample(extend: { object in
            object.answer(Sample.wait) { _, _ in
                started.report(())
                await untilCancelled()
            }
        }) { _, server, client async throws in
            let call = Task {
                try await client.call(Sample.wait, to: server.uniqueName, at: Sample.path, timeout: nil)
            }
            await started.next()
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
        }
    }

    @Test func `a call in a cancelled task fails and is not sent`() async throws {
        let heard = Happenings<String>()
        try await withSample(extend: { object in
            object.answer(Sample.echo) { _, text in
                heard.report(text)
                return text
            }
        }) { _, server, client async throws in
            let call = Task {
                await untilCancelled()
                return try await client.call(Sample.echo, "cancelled", to: server.uniqueName, at: Sample.path)
            }
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
            _ = try await client.call(Sample.echo, "next", to: server.uniqueName, at: Sample.path)
            #expect(await heard.next() == "next")
        }
    }

    @Test func `a caller that leaves the bus cancels its handler`() async throws {
        let events = Happenings<String>()
        try await withSample(extend: { object in
            object.answer(Sample.wait) { _, _ in
                events.report("started")
                await untilCancelled()
                events.report(Task.isCancelled ? "cancelled" : "done")
            }
        }) { bus, server, _ async throws in
            let leaver = try await bus.connect()
            let call = Task { try await leaver.call(Sample.wait, to: server.uniqueName, at: Sample.path) }
            #expect(await events.next() == "started")
            await leaver.close()
            #expect(await events.next() == "cancelled")
            await #expect(throws: DBusError.disconnected) { try await call.value }
        }
    }

    @Test func `a call that wants no answer outlives its caller`() async throws {
        let events = Happenings<String>()
        let go = Happenings<Void>()
        try await withSample(extend: { object in
            object.answer(Sample.wait) { _, _ in
                events.report("started")
                await go.next()
                events.report(Task.isCancelled ? "cancelled" : "done")
            }
        }) { bus, server, client async throws in
            _ = try await server.observeNames { if $0.newOwner == nil { events.report("left") } }
            let leaver = try await bus.connect()
            try leaver.post(Sample.wait, (), to: server.uniqueName, at: Sample.path)
            #expect(await events.next() == "started")
            await leaver.close()
            #expect(await events.next() == "left")
            go.report(())
            #expect(await events.next() == "done")
        }
    }

    @Test func `a responder learns that its caller left`() async throws {
        let events = Happenings<String>()
        try await withSample(extend: { object in
            object.respond(to: Sample.wait) { _, responder in
                responder.onCallerLeft { events.report("left") }
                events.report("started")
                Task {
                    await untilCancelled()
                    responder.reply()
                }
            }
        }) { bus, server, _ async throws in
            let leaver = try await bus.connect()
            let call = Task { try await leaver.call(Sample.wait, to: server.uniqueName, at: Sample.path) }
            #expect(await events.next() == "started")
            await leaver.close()
            #expect(await events.next() == "left")
            _ = await call.result
        }
    }

    @Test func `a wrong signature gets InvalidArgs and reaches no handler`() async throws {
        try await withSample(extend: { object in
            object.answer(Sample.echo) { _, text in
                Issue.record("the handler ran")
                return text
            }
        }) { _, server, client async throws in
            let wrong = Method(
                Sample.interface, "Echo", takes: Arguments(("number", UInt32.self)),
                gives: Arguments(("text", String.self)))
            let none = Method(Sample.interface, "Echo", gives: Arguments(("text", String.self)))
            for call in [
                { try await client.call(wrong, 1, to: server.uniqueName, at: Sample.path) },
                { try await client.call(none, to: server.uniqueName, at: Sample.path) },
            ] {
                let error = await #expect(throws: DBusError.self) { try await call() }
                #expect(error?.name == .invalidArguments)
            }
        }
    }

    @Test func `a reply of another type than declared is an error`() async throws {
        try await withSample { _, server, client async throws in
            let wrong = Method(
                Sample.interface, "Echo", takes: Arguments(("text", String.self)),
                gives: Arguments(("number", UInt32.self)))
            await #expect(throws: DBusError.invalidReply(expected: "u", received: "s")) {
                try await client.call(wrong, "a", to: server.uniqueName, at: Sample.path)
            }
        }
    }

    @Test func `an error with a name travels with name and text`() async throws {
        try await withSample { _, server, client async throws in
            await #expect(throws: DBusError.reply(name: "org.example.Error.Refused", message: "Not today.")) {
                try await client.call(Sample.fail, "named", to: server.uniqueName, at: Sample.path)
            }
        }
    }

    @Test func `an unexpected error is told to the log and not to the caller`() async throws {
        let logged = Happenings<String>()
        var options = ConnectionOptions()
        options.failureName = "org.example.Error.Failed"
        options.failureMessage = "See the log."
        options.onUnexpectedError = { error, member in logged.report("\(member): \(error)") }
        try await withSample(options: options) { _, server, client async throws in
            await #expect(throws: DBusError.reply(name: "org.example.Error.Failed", message: "See the log.")) {
                try await client.call(Sample.fail, "other", to: server.uniqueName, at: Sample.path)
            }
            #expect(await logged.next() == "Fail: the password is tulip")
        }
    }

    @Test func `a forgotten responder answers with the generic failure`() async throws {
        try await withSample(extend: { object in
            object.respond(to: Sample.wait) { _, _ in }
        }) { _, server, client async throws in
            let error = await #expect(throws: DBusError.self) {
                try await client.call(Sample.wait, to: server.uniqueName, at: Sample.path)
            }
            #expect(error?.name == .failed)
        }
    }

    struct Unknown: Sendable, CustomTestStringConvertible {
        let method: Method<Void, Void>
        let path: ObjectPath
        let error: ErrorName
        var testDescription: String { error.rawValue }
    }

    @Test(arguments: [
        Unknown(method: Method(Sample.interface, "Nothing"), path: Sample.path, error: .unknownMethod),
        Unknown(method: Method("org.example.None", "Wait"), path: Sample.path, error: .unknownInterface),
        Unknown(method: Sample.wait, path: "/org/example", error: .unknownInterface),
        Unknown(method: Sample.wait, path: "/elsewhere", error: .unknownObject),
    ])
    func `what does not exist is answered as the specification says`(_ unknown: Unknown) async throws {
        try await withSample { _, server, client async throws in
            let error = await #expect(throws: DBusError.self) {
                try await client.call(unknown.method, to: server.uniqueName, at: unknown.path)
            }
            #expect(error?.name == unknown.error)
        }
    }

    @Test func `a call to a name that nobody owns fails`() async throws {
        try await withPrivateBus { bus in
            let client = try await bus.connect()
            let error = await #expect(throws: DBusError.self) {
                try await client.call(
                    Sample.echo, "a", to: "org.example.Nobody", at: Sample.path, options: .noAutoStart)
            }
            // dbus-daemon says so to those who forbid starting the service.
            #expect(error?.name == .nameHasNoOwner || error?.name == .serviceUnknown)
        }
    }

    @Test func `a call that wants no reply gets none`() async throws {
        let heard = Happenings<String>()
        try await withSample(extend: { object in
            object.answer(Sample.echo) { _, text in
                heard.report(text)
                return text
            }
        }) { _, server, client async throws in
            try client.post(Sample.echo, "quiet", to: server.uniqueName, at: Sample.path)
            #expect(await heard.next() == "quiet")
            #expect(try await client.call(Sample.echo, "loud", to: server.uniqueName, at: Sample.path) == "loud")
        }
    }

    @Test func `file descriptors travel both ways and arrive close-on-exec`() async throws {
        try await withSample { _, server, client async throws in
            let (reading, writing) = makePipe()
            let back = try await client.call(Sample.take, writing, to: server.uniqueName, at: Sample.path)
            #expect(back.rawValue != writing.rawValue)
            #expect(fcntl(back.rawValue, F_GETFD) & FD_CLOEXEC != 0)
            #expect(write(back.rawValue, "x", 1) == 1)
            var byte: UInt8 = 0
            #expect(read(reading.rawValue, &byte, 1) == 1)
            #expect(byte == UInt8(ascii: "x"))
        }
    }
}
