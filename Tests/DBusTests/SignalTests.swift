import BusTesting
import DBus
import Dispatch
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SignalTests {
    @Test func `signals arrive in the order in which they were emitted`() async throws {
        try await withSample { _, server, client async throws in
            let ticks = try await client.subscribe(to: Sample.tick, from: server.uniqueName, at: Sample.path)
            try await client.call(Sample.burst, 100, to: server.uniqueName, at: Sample.path)
            var heard: [UInt32] = []
            for try await tick in ticks {
                heard.append(tick.values)
                #expect(tick.sender == server.uniqueName)
                if heard.count == 100 { break }
            }
            #expect(heard == Array(0..<100))
        }
    }

    @Test func `signals and the answer leave in the order of the handler`() async throws {
        try await withPrivateBus { bus in
            try await withSample { bus, server, _ async throws in
                let monitor = try ChildProcess(
                    ["dbus-monitor", "--address", bus.rawAddress, "--profile", "sender=\(server.uniqueName)"])
                // It prints its own NameAcquired when it listens.
                while let line = await monitor.nextLine(), !line.contains("NameLost") {}
                let client = try await bus.connect()
                try await client.call(Sample.burst, 2, to: server.uniqueName, at: Sample.path)
                var kinds: [String] = []
                while kinds.count < 4, let line = await monitor.nextLine() {
                    let fields = line.split(separator: "\t")
                    if line.contains("Tick") || line.contains("Named") || fields.first == "mr" {
                        kinds.append(fields.first == "mr" ? "reply" : String(fields.last ?? ""))
                    }
                }
                #expect(kinds == ["Tick", "Tick", "reply", "Named"])
                monitor.kill()
            }
        }
    }

    @Test func `what is sent after a name was asked for comes from its owner`() async throws {
        try await withPrivateBus { bus in
            let name: BusName = "org.example.Late"
            let (server, client) = (try await bus.connect(), try await bus.connect())
            let ticks = try await client.subscribe(to: Sample.tick, from: name, at: Sample.path)
            try await server.own(name) { ask in
                server.thread.perform {
                    try? server.emit(Sample.tick, 1, from: Sample.path)
                    ask()
                    try? server.emit(Sample.tick, 2, from: Sample.path)
                }
            }
            for try await tick in ticks {
                #expect(tick.values == 2)
                break
            }
        }
    }

    @Test func `a signal to one connection reaches no other`() async throws {
        try await withSample { bus, server, client async throws in
            let other = try await bus.connect()
            let mine = try await client.subscribe(to: Sample.tick)
            let others = try await other.subscribe(to: Sample.tick)
            try server.emit(Sample.tick, 1, from: Sample.path, to: client.uniqueName)
            try server.emit(Sample.tick, 2, from: Sample.path)
            var iterator = mine.makeAsyncIterator()
            #expect(try await iterator.next()?.values == 1)
            var otherIterator = others.makeAsyncIterator()
            #expect(try await otherIterator.next()?.values == 2)
        }
    }

    @Test func `a subscription to a well-known name follows its owner`() async throws {
        try await withSample { bus, server, client async throws in
            let name: BusName = "org.example.Moving"
            let ticks = try await client.subscribe(to: Sample.tick, from: name)
            let owners = try await client.owners(of: name)
            var seen = owners.makeAsyncIterator()
            #expect(try await seen.next() == .some(nil))
            let impostor = try await bus.connect()
            try await server.own(name)
            #expect(try await seen.next() == server.uniqueName)
            try impostor.emit(Sample.tick, 99, from: Sample.path)
            // Even to us alone it is not the owner's.
            try impostor.emit(Sample.tick, 98, from: Sample.path, to: client.uniqueName)
            _ = try await impostor.busID()
            try server.emit(Sample.tick, 1, from: Sample.path)
            var iterator = ticks.makeAsyncIterator()
            #expect(try await iterator.next()?.values == 1)
            try await server.release(name)
            try await impostor.own(name)
            try impostor.emit(Sample.tick, 2, from: Sample.path)
            #expect(try await iterator.next()?.values == 2)
        }
    }

    @Test func `a subscription that is made while the name moves takes the new owner's signals`() async throws {
        try await withSample { bus, server, client async throws in
            for round in 0..<300 {
                let name = try #require(BusName("org.example.Moving\(round)"))
                // The bus's answer about the owner and its news of another one come together or the other way round.
                async let moved: Void = server.own(name)
                let ticks = try await client.subscribe(to: Sample.tick, from: name)
                try await moved
                // The news that it moved has come to this connection before the answer to this.
                _ = try await client.owner(of: name)
                try server.emit(Sample.tick, UInt32(round), from: Sample.path)
                var iterator = ticks.makeAsyncIterator()
                #expect(try await iterator.next()?.values == UInt32(round))
            }
        }
    }

    /// The bus's answer and the news right behind it are read at once, after the thread was held up in between.
    @Test func `an answer about a name's owner does not undo the news that came after it`() async throws {
        try await withSample { bus, server, client async throws in
            for round in 0..<200 {
                let name = try #require(BusName("org.example.Late\(round)"))
                let gate = DispatchSemaphore(value: 0)
                async let subscribed = client.subscribe(to: Sample.tick, from: name)
                await withCheckedContinuation { held in
                    Self.hold(client.thread, after: round % 50, until: gate) { held.resume() }
                }
                defer { gate.signal() }
                try await server.own(name)
                gate.signal()
                let ticks = try await subscribed
                _ = try await client.owner(of: name)
                try server.emit(Sample.tick, UInt32(round), from: Sample.path)
                var iterator = ticks.makeAsyncIterator()
                #expect(try await iterator.next()?.values == UInt32(round))
            }
        }
    }

    private static func hold(
        _ thread: BusThread, after turns: Int, until gate: DispatchSemaphore, isHeld: @escaping @Sendable () -> Void
    ) {
        thread.performLater {
            guard turns == 0 else { return hold(thread, after: turns - 1, until: gate, isHeld: isHeld) }
            isHeld()
            gate.wait()
        }
    }

    @Test func `a filter on the first argument lets only that one through`() async throws {
        try await withSample { _, server, client async throws in
            let signals = try await client.subscribe(to: Sample.named, firstArgument: "it's me")
            try server.emit(Sample.named, ("other", 1), from: Sample.path, to: client.uniqueName)
            try server.emit(Sample.named, ("it's me", 2), from: Sample.path)
            var iterator = signals.makeAsyncIterator()
            #expect(try await iterator.next()?.values.1 == 2)
        }
    }

    @Test func `a signal of another type than declared is dropped`() async throws {
        try await withSample { _, server, client async throws in
            let ticks = try await client.subscribe(to: Sample.tick)
            let wrong = Signal(Sample.interface, "Tick", Arguments(("text", String.self)))
            try server.emit(wrong, "x", from: Sample.path)
            try server.emit(Sample.tick, 5, from: Sample.path)
            var iterator = ticks.makeAsyncIterator()
            #expect(try await iterator.next()?.values == 5)
        }
    }

    @Test func `a consumer that is too slow gets an error after what it kept`() async throws {
        try await withSample { _, server, client async throws in
            let ticks = try await client.subscribe(to: Sample.tick, limit: 2)
            try await client.call(Sample.burst, 10, to: server.uniqueName, at: Sample.path)
            var heard: [UInt32] = []
            await #expect(throws: DBusError.overflow) {
                for try await tick in ticks { heard.append(tick.values) }
            }
            #expect(heard == [0, 1])
        }
    }

    @Test func `properties are announced with their interface`() async throws {
        try await withSample { _, server, client async throws in
            let changes = try await client.propertyChanges(
                of: Sample.interface, from: server.uniqueName, at: Sample.path)
            try server.emitPropertiesChanged("org.example.Other", ["A": .boolean(true)], from: Sample.path)
            try server.emitPropertiesChanged(
                Sample.interface, ["Phase": .string("clearing")], invalidated: ["Account"], from: Sample.path)
            var iterator = changes.makeAsyncIterator()
            let change = try #require(try await iterator.next()).values
            #expect(change.0 == Sample.interface.rawValue)
            #expect(change.1 == ["Phase": .string("clearing")])
            #expect(change.2 == ["Account"])
        }
    }

    @Test func `a name that moves while much is unread has its owners in order, and the last is heard`() async throws {
        try await withSample { bus, server, client async throws in
            let name: BusName = "org.example.Moving"
            try await server.own(name)
            let ticks = try await client.subscribe(to: Sample.tick, from: name)
            var seen = try await client.owners(of: name).makeAsyncIterator()
            #expect(try await seen.next() == server.uniqueName)
            let next = try await bus.connect()
            // The client does not look while all of this happens.
            let (reading, writing) = makePipe()
            client.thread.performLater {
                var byte: UInt8 = 0
                _ = read(reading.rawValue, &byte, 1)
            }
            for number in 0..<100 as Range<UInt32> { try server.emit(Sample.tick, number, from: Sample.path) }
            try await server.release(name)
            try await next.own(name)
            try next.emit(Sample.tick, 100, from: Sample.path)
            _ = try await next.busID()
            _ = write(writing.rawValue, "x", 1)
            #expect(try await seen.next() == .some(nil))
            #expect(try await seen.next() == next.uniqueName)
            var heard: [UInt32] = []
            var iterator = ticks.makeAsyncIterator()
            while heard.last != 100, let tick = try await iterator.next() { heard.append(tick.values) }
            #expect(heard == Array(0...100))
        }
    }
}
