import BusTesting
import DBus
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BusTests {
    @Test func `the bus says who a caller is`() async throws {
        let seen = Happenings<Credentials>()
        try await withSample(extend: { object in
            object.answer(Sample.wait) { caller, _ in seen.report(try await caller.credentials) }
        }) { _, server, client async throws in
            try await client.call(Sample.wait, to: server.uniqueName, at: Sample.path)
            let credentials = try #require(await seen.next())
            #expect(credentials.uid == getuid())
            #expect(credentials.pid == getpid())
            // The second answer comes from memory and is the same.
            #expect(try await server.credentials(of: client.uniqueName) == credentials)
        }
    }

    @Test func `nobody is assumed of a connection that has left`() async throws {
        try await withSample { bus, server, _ async throws in
            let leaver = try await bus.connect()
            _ = try await server.credentials(of: leaver.uniqueName)
            let gone = Happenings<BusName>()
            _ = try await server.observeNames { if $0.newOwner == nil { gone.report($0.name) } }
            await leaver.close()
            #expect(await gone.next() == leaver.uniqueName)
            let error = await #expect(throws: DBusError.self) {
                try await server.credentials(of: leaver.uniqueName)
            }
            #expect(error?.name == .nameHasNoOwner)
        }
    }

    @Test func `a name has one owner`() async throws {
        try await withPrivateBus { bus in
            let first = try await bus.connect()
            let second = try await bus.connect()
            let name: BusName = "org.example.Only"
            try await first.own(name)
            try await first.own(name)
            await #expect(throws: DBusError.nameTaken(name)) { try await second.own(name) }
            #expect(try await second.owner(of: name) == first.uniqueName)
            try await first.release(name)
            #expect(try await second.hasOwner(name) == false)
            try await second.own(name)
        }
    }

    /// Each on a thread of its own, and more than a bus greets at a time: whoever waits must not be in another's way.
    @Test func `two hundred connections are made at once in one process`() async throws {
        try await withPrivateBus { bus in
            let connections = try await withThrowingTaskGroup(of: Connection.self) { group in
                for _ in 0..<200 { group.addTask { try await bus.connect() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(connections.map(\.uniqueName)).count == 200)
        }
    }

    @Test func `losing a name is noticed`() async throws {
        try await withPrivateBus { bus in
            let owner = try await bus.connect()
            let name: BusName = "org.example.Lost"
            try await owner.own(name)
            let end = Task { try await owner.waitUntilClosed() }
            let releaseName = Method(
                "org.freedesktop.DBus", "ReleaseName", takes: Arguments(("name", String.self)),
                gives: Arguments(("result", UInt32.self)))
            _ = try await owner.call(releaseName, name.rawValue, to: .bus, at: "/org/freedesktop/DBus")
            await #expect(throws: DBusError.nameLost(name)) { try await end.value }
        }
    }

    @Test func `names that come and go are told`() async throws {
        try await withPrivateBus { bus in
            let watcher = try await bus.connect()
            let changes = Happenings<NameOwnerChange>()
            let token = try await watcher.observeNames { changes.report($0) }
            let other = try await bus.connect()
            #expect(
                await changes.next()
                    == NameOwnerChange(name: other.uniqueName, oldOwner: nil, newOwner: other.uniqueName))
            try await other.own("org.example.Visitor")
            #expect(
                await changes.next()
                    == NameOwnerChange(name: "org.example.Visitor", oldOwner: nil, newOwner: other.uniqueName))
            await other.close()
            #expect(
                await changes.next()
                    == NameOwnerChange(name: "org.example.Visitor", oldOwner: other.uniqueName, newOwner: nil))
            #expect(
                await changes.next()
                    == NameOwnerChange(name: other.uniqueName, oldOwner: other.uniqueName, newOwner: nil))
            await watcher.stopObserving(token)
        }
    }

    @Test func `the bus is lost when it is killed`() async throws {
        try await withPrivateBus { bus in
            let connection = try await bus.connect()
            let silent = try await bus.connect()
            let ticks = try await connection.subscribe(to: Sample.tick)
            let end = Task { try await connection.waitUntilClosed() }
            let call = Task {
                try await connection.call(Sample.wait, to: silent.uniqueName, at: "/nowhere/that/answers", timeout: nil)
            }
            let stream = Task { for try await _ in ticks {} }
            _ = await call.result
            bus.stop()
            await #expect(throws: DBusError.disconnected) { try await end.value }
            await #expect(throws: DBusError.disconnected) { try await stream.value }
            await #expect(throws: DBusError.disconnected) { try await connection.busID() }
            #expect(await connection.isOpen == false)
        }
    }

    @Test func `calls that wait fail when the bus is lost`() async throws {
        let started = Happenings<Void>()
        let ended = Happenings<Void>()
        try await withSample(extend: { object in
            object.answer(Sample.wait) { _, _ in
                started.report(())
                await untilCancelled()
                ended.report(())
            }
        }) { bus, server, client async throws in
            let call = Task {
                try await client.call(Sample.wait, to: server.uniqueName, at: Sample.path, timeout: nil)
            }
            await started.next()
            bus.stop()
            await #expect(throws: DBusError.disconnected) { try await call.value }
            await ended.next()
        }
    }

    @Test func `closing ends streams and waits without an error`() async throws {
        try await withPrivateBus { bus in
            let connection = try await bus.connect()
            let ticks = try await connection.subscribe(to: Sample.tick)
            let end = Task { try await connection.waitUntilClosed() }
            await connection.close()
            try await end.value
            for try await _ in ticks {}
            try await connection.waitUntilClosed()
        }
    }

    @Test func `waiting for the end can be cancelled`() async throws {
        try await withPrivateBus { bus in
            let connection = try await bus.connect()
            let end = Task { try await connection.waitUntilClosed() }
            end.cancel()
            try await end.value
            #expect(await connection.isOpen)
        }
    }

    @Test func `the last words before closing arrive`() async throws {
        try await withPrivateBus { bus in
            let listener = try await bus.connect()
            let ticks = try await listener.subscribe(to: Sample.tick)
            let speaker = try await bus.connect()
            for number in 0..<50 { try speaker.emit(Sample.tick, UInt32(number), from: Sample.path) }
            await speaker.close()
            var iterator = ticks.makeAsyncIterator()
            for number in 0..<50 { #expect(try await iterator.next()?.values == UInt32(number)) }
        }
    }

    @Test func `a connection that nobody holds leaves the bus`() async throws {
        try await withPrivateBus { bus in
            let watcher = try await bus.connect()
            let gone = Happenings<BusName>()
            _ = try await watcher.observeNames { if $0.newOwner == nil { gone.report($0.name) } }
            var dropped: Connection? = try await bus.connect()
            let name = dropped?.uniqueName
            let ticks = try await dropped?.subscribe(to: Sample.tick)
            dropped = nil
            #expect(await gone.next() == name)
            if let ticks { for try await _ in ticks {} }
        }
    }

    @Test func `a bus that is not there is an error`() async throws {
        await #expect(throws: DBusError.self) {
            try await Connection.open(.address("unix:path=/nonexistent/bus"))
        }
        await #expect(throws: DBusError.self) { try await Connection.open(.address("nonsense")) }
    }

    @Test func `each bus has an identity of its own`() async throws {
        try await withPrivateBus { first in
            try await withPrivateBus { second in
                let one = try await first.connect().busID()
                #expect(one.count == 32)
                #expect(try await second.connect().busID() != one)
            }
        }
    }
}
