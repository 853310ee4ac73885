import CDBus
import GeneratedInput
import Testing

@testable import DBus

@Suite("Messages that nobody composed", .timeLimit(.minutes(3)))
struct GeneratedMessageTests {
    /// What libdbus lets through is read as any type that a peer may claim, and is a value or an error.
    @Test func `are read or refused`() throws {
        var input = GeneratedInput(seed: 3)
        let values: VariantDictionary = [
            "text": .string("ä"), "number": .uint64(.max), "list": .array(element: "s", [.string("a"), .string("b")]),
            "deep": .variant(.variant(.dictionary(["x": .bytes([1, 2, 3])]))),
            "pair": .structure([.byte(1), .double(2)]),
        ]
        let message = try Message(.call)
        try message.address(
            to: "org.example.A", path: "/org/example/A", interface: "org.example.A", member: "Do")
        try message.append(within: ConnectionOptions().messageLimits) { writer throws(DBus.DBusError) in
            try UInt64(7).write(to: &writer)
            try "org.example.App".write(to: &writer)
            try values.write(to: &writer)
        }
        dbus_message_set_serial(message.raw, 1)
        var bytes: UnsafeMutablePointer<CChar>?
        var count: Int32 = 0
        #expect(dbus_message_marshal(message.raw, &bytes, &count) != 0)
        let whole = UnsafeBufferPointer(start: bytes, count: Int(count)).map { UInt8(bitPattern: $0) }
        dbus_free(bytes)
        var (read, refused) = (0, 0)
        for _ in 0..<20_000 {
            // The header says how much there is, so what changes the length is mostly refused at once.
            var changed = whole
            for _ in 0...input.number(below: 3) {
                changed[input.number(below: changed.count)] = UInt8(truncatingIfNeeded: input.next())
            }
            let raw = changed.withUnsafeBufferPointer { buffer in
                buffer.withMemoryRebound(to: CChar.self) {
                    dbus_message_demarshal($0.baseAddress, Int32($0.count), nil)
                }
            }
            guard let raw else {
                refused += 1
                continue
            }
            let received = Message(owning: raw)
            var reader = ValueReader(received)
            _ = (received.sender, received.path, received.member, received.signature)
            do throws(DBus.DBusError) {
                _ = (try UInt64(from: &reader), try String(from: &reader), try VariantDictionary(from: &reader))
                read += 1
            } catch {
                refused += 1
            }
        }
        #expect(read > 0 && refused > 0)
    }
}
