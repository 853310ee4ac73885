import BusTesting
import DBus
import Glibc

/// A small service with one member of each kind.
enum Sample {
    static let interface: InterfaceName = "org.example.Sample"
    static let path: ObjectPath = "/org/example/Sample"

    static let echo = Method(
        interface, "Echo", takes: Arguments(("text", String.self)), gives: Arguments(("text", String.self)))
    static let swap = Method(
        interface, "Swap", takes: Arguments(("number", UInt64.self), ("options", VariantDictionary.self)),
        gives: Arguments(("options", VariantDictionary.self), ("number", UInt64.self)))
    static let bytes = Method(
        interface, "Bytes", takes: Arguments(("bytes", [UInt8].self)), gives: Arguments(("bytes", [UInt8].self)))
    static let take = Method(
        interface, "Take", takes: Arguments(("descriptor", OwnedDescriptor.self)),
        gives: Arguments(("descriptor", OwnedDescriptor.self)))
    static let wait = Method(interface, "Wait")
    static let fail = Method(interface, "Fail", takes: Arguments(("how", String.self)))
    static let burst = Method(interface, "Burst", takes: Arguments(("count", UInt32.self)))

    static let tick = Signal(interface, "Tick", Arguments(("number", UInt32.self)))
    static let named = Signal(interface, "Named", Arguments(("name", String.self), ("number", UInt32.self)))

    static let phase = Property<String>(interface, "Phase")
    static let account = Property<VariantDictionary>(interface, "Account")
    static let version = Property<UInt32>(interface, "Version", announcement: .constant)
}

struct SampleError: BusError {
    let name: ErrorName = "org.example.Error.Refused"
    let message = "Not today."
}

struct Secret: Error, CustomStringConvertible {
    let description = "the password is tulip"
}

/// A server and a client on a bus of their own; all is gone when `body` ends.
@discardableResult
func withSample<Result>(
    options: ConnectionOptions = ConnectionOptions(), extend: (inout ServedObject) -> Void = { _ in },
    _ body: (PrivateBus, _ server: Connection, _ client: Connection) async throws -> Result
) async throws -> Result {
    try await withPrivateBus { bus in
        let server = try await bus.connect(options: options)
        let client = try await bus.connect()
        var object = ServedObject()
        object.answer(Sample.echo) { _, text in text }
        object.answer(Sample.swap) { _, input in (input.1, input.0) }
        object.answer(Sample.bytes) { _, bytes in bytes }
        object.answer(Sample.take) { _, descriptor in descriptor }
        object.answer(Sample.wait) { _, _ in await untilCancelled() }
        object.answer(Sample.fail) { _, how in
            if how == "named" { throw SampleError() } else { throw Secret() }
        }
        object.respond(to: Sample.burst) { count, responder in
            let connection = responder.caller.connection
            for number in 0..<count { try? connection.emit(Sample.tick, number, from: Sample.path) }
            responder.reply()
            try? connection.emit(Sample.named, ("after", count), from: Sample.path)
        }
        object.emits(Sample.tick)
        object.emits(Sample.named)
        object.property(Sample.phase) { _ in "ready" }
        object.property(Sample.account) { _ in ["name": .string("Ana")] }
        object.property(Sample.version) { _ in 1 }
        extend(&object)
        try await server.serve(object, at: Sample.path)
        let result = try await body(bus, server, client)
        await client.close()
        await server.close()
        return result
    }
}

/// A pipe whose both ends close by themselves.
func makePipe() -> (reading: OwnedDescriptor, writing: OwnedDescriptor) {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0)
    return (OwnedDescriptor(owning: ends[0]), OwnedDescriptor(owning: ends[1]))
}
