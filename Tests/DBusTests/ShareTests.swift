import BusTesting
import DBus
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ShareTests {
    private static let patient = Method(Sample.interface, "Patient")

    /// A server on which two calls of a user may be unanswered, with one method that keeps room.
    private func withShare(
        calls: Int = 2, descriptors: Int = 2,
        _ body: (PrivateBus, Connection, Happenings<Void>) async throws -> Void
    ) async throws {
        var options = ConnectionOptions()
        options.shareOfUser = CallShare(calls: calls, descriptors: descriptors)
        let started = Happenings<Void>()
        try await withSample(
            options: options,
            extend: { object in
                object.answer(Sample.wait) { _, _ in
                    started.report(())
                    await untilCancelled()
                }
                object.answer(Self.patient) { _, _ in
                    started.report(())
                    await untilCancelled()
                }
                object.answer(Sample.take) { _, descriptor in
                    started.report(())
                    await untilCancelled()
                    return descriptor
                }
                object.keepRoom(for: Self.patient)
                object.keepRoom(for: Sample.echo)
            }
        ) { bus, server, _ async throws in try await body(bus, server, started) }
    }

    @Test func `all connections of a user share what may be unanswered`() async throws {
        try await withShare { bus, server, started async throws in
            var waiting: [Task<Void, any Error>] = []
            var connections: [Connection] = []
            for _ in 0..<2 {
                let client = try await bus.connect()
                connections.append(client)
                waiting.append(
                    Task { try await client.call(Sample.wait, to: server.uniqueName, at: Sample.path, timeout: nil) })
                await started.next()
            }
            let other = try await bus.connect()
            let error = await #expect(throws: DBusError.self) {
                try await other.call(Sample.wait, to: server.uniqueName, at: Sample.path)
            }
            #expect(error?.name == .limitsExceeded)
            // A method that keeps room is taken all the same, also when it waits.
            #expect(try await other.call(Sample.echo, "a", to: server.uniqueName, at: Sample.path) == "a")
            let urgent = Task {
                try await other.call(Self.patient, to: server.uniqueName, at: Sample.path, timeout: nil)
            }
            await started.next()
            // The share is free again when one has left.
            await connections[0].close()
            _ = await waiting[0].result
            let next = Task {
                while true {
                    do {
                        return try await other.call(Sample.wait, to: server.uniqueName, at: Sample.path, timeout: nil)
                    } catch let error as DBusError where error.name == .limitsExceeded {}
                }
            }
            await started.next()
            for task in [waiting[1], urgent, next] { task.cancel() }
        }
    }

    @Test func `descriptors that are in use are shared as well`() async throws {
        try await withShare(calls: 100, descriptors: 2) { bus, server, started async throws in
            let client = try await bus.connect()
            let (reading, _) = makePipe()
            let waiting = (0..<2).map { _ in
                Task {
                    try await client.call(Sample.take, reading, to: server.uniqueName, at: Sample.path, timeout: nil)
                }
            }
            for _ in 0..<2 { await started.next() }
            let other = try await bus.connect()
            let error = await #expect(throws: DBusError.self) {
                try await other.call(Sample.take, reading, to: server.uniqueName, at: Sample.path)
            }
            #expect(error?.name == .limitsExceeded)
            #expect(try await other.call(Sample.echo, "a", to: server.uniqueName, at: Sample.path) == "a")
            for task in waiting { task.cancel() }
        }
    }
}
