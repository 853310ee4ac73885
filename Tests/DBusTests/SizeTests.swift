import BusTesting
import DBus
import Glibc
import Testing

@Suite(.timeLimit(.minutes(2)))
struct SizeTests {
    @Test func `ten megabytes travel both ways`() async throws {
        try await withSample { _, server, client async throws in
            let bytes = (0..<10_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            #expect(try await client.call(Sample.bytes, bytes, to: server.uniqueName, at: Sample.path) == bytes)
            let text = String(repeating: "0123456789", count: 1_000_000)
            #expect(try await client.call(Sample.echo, text, to: server.uniqueName, at: Sample.path) == text)
        }
    }

    @Test func `a message that is too large is an error and the connection stays`() async throws {
        var options = ConnectionOptions()
        options.maximumMessageSize = 1_000_000
        try await withSample { bus, server, _ async throws in
            let client = try await bus.connect(options: options)
            await #expect(throws: DBusError.tooLarge) {
                let text = String(repeating: "0123456789", count: 100_000)
                return try await client.call(Sample.echo, text, to: server.uniqueName, at: Sample.path)
            }
            await #expect(throws: DBusError.tooLarge) {
                // No array may be larger than 64 MiB, whatever the message.
                let bytes = [UInt8](repeating: 0, count: 64 * 1024 * 1024 + 1)
                return try await server.call(Sample.bytes, bytes, to: server.uniqueName, at: Sample.path)
            }
            #expect(try await client.call(Sample.echo, "a", to: server.uniqueName, at: Sample.path) == "a")
        }
    }

    @Test func `an answer that is too large is a failure for the caller`() async throws {
        var options = ConnectionOptions()
        options.maximumMessageSize = 1_000_000
        let large = Method(Sample.interface, "Large", gives: Arguments(("bytes", [UInt8].self)))
        try await withSample(
            options: options,
            extend: { object in
                object.answer(large) { _, _ in [UInt8](repeating: 0, count: 1_000_000) }
            }
        ) { _, server, client async throws in
            let error = await #expect(throws: DBusError.self) {
                try await client.call(large, to: server.uniqueName, at: Sample.path)
            }
            #expect(error?.name == .failed)
        }
    }

    @Test func `too many descriptors are an error and the connection stays`() async throws {
        let many = Method(
            Sample.interface, "Many", takes: Arguments(("descriptors", [OwnedDescriptor].self)))
        try await withSample { _, server, client async throws in
            let (reading, _) = makePipe()
            await #expect(throws: DBusError.tooLarge) {
                let descriptors = [OwnedDescriptor](repeating: reading, count: 17)
                return try await client.call(many, descriptors, to: server.uniqueName, at: Sample.path)
            }
            #expect(try await client.call(Sample.echo, "a", to: server.uniqueName, at: Sample.path) == "a")
        }
    }

    @Test func `a caller with too many open calls is refused, others are not`() async throws {
        var options = ConnectionOptions()
        options.maximumCallsPerSender = 3
        let started = Happenings<Void>()
        try await withSample(
            options: options,
            extend: { object in
                object.answer(Sample.wait) { _, _ in
                    started.report(())
                    await untilCancelled()
                }
            }
        ) { bus, server, client async throws in
            let calls = (0..<3).map { _ in
                Task { try await client.call(Sample.wait, to: server.uniqueName, at: Sample.path) }
            }
            for _ in 0..<3 { await started.next() }
            let error = await #expect(throws: DBusError.self) {
                try await client.call(Sample.echo, "a", to: server.uniqueName, at: Sample.path)
            }
            #expect(error?.name == .limitsExceeded)
            let other = try await bus.connect()
            #expect(try await other.call(Sample.echo, "b", to: server.uniqueName, at: Sample.path) == "b")
            for call in calls { call.cancel() }
        }
    }

    @Test func `a busy sender does not keep others waiting`() async throws {
        var options = ConnectionOptions()
        options.maximumCallsPerSender = 1000
        let order = Happenings<String>()
        try await withSample(
            options: options,
            extend: { object in
                object.answer(Sample.echo) { _, text in
                    order.report(text)
                    return text
                }
            }
        ) { bus, server, busy async throws in
            let quiet = try await bus.connect()
            // The server does not look while both send.
            let (reading, writing) = makePipe()
            server.thread.performLater {
                var byte: UInt8 = 0
                _ = read(reading.rawValue, &byte, 1)
            }
            for number in 0..<200 {
                try busy.post(Sample.echo, "busy \(number)", to: server.uniqueName, at: Sample.path)
            }
            _ = try await busy.busID()
            try quiet.post(Sample.echo, "quiet", to: server.uniqueName, at: Sample.path)
            _ = try await quiet.busID()
            _ = write(writing.rawValue, "x", 1)
            var heard: [String] = []
            while heard.count < 201, let next = await order.next() { heard.append(next) }
            #expect(heard.filter { $0 != "quiet" } == (0..<200).map { "busy \($0)" })
            #expect(try #require(heard.firstIndex(of: "quiet")) < 100)
        }
    }
}
