import BusTesting
import DBus
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ValueTests {
    static let variant = Method(
        Sample.interface, "Variant", takes: Arguments(("value", Variant.self)),
        gives: Arguments(("value", Variant.self)))

    @Test(
        arguments: [
            .boolean(true), .byte(255), .int16(-5), .uint16(65535), .int32(.min), .uint32(.max), .int64(.min),
            .uint64(.max), .double(-0.5), .string("naïve 🧹"), .objectPath("/a/b"), .signature("a{sv}"),
            .bytes([1, 2, 3]),
            .bytes([]), .strings([]), .strings(["a", ""]), .uint64s([1, 2]), .dictionaries([["a": .byte(1)], [:]]),
            .structure([.byte(1), .structure([.string("x")])]), .variant(.variant(.string("deep"))),
            .array(element: "v", [.variant(.byte(1)), .variant(.string("two"))]),
            .array(element: "(yb)", [.structure([.byte(1), .boolean(false)])]),
            .array(element: "ay", [.bytes([1]), .bytes([])]),
            .entries(key: "u", value: "as", [Variant.Entry(key: .uint32(1), value: .strings(["x"]))]),
            .entries(key: "s", value: "a{ys}", []),
        ] as [Variant])
    func `any value comes back as it was sent`(_ value: Variant) async throws {
        try await withSample(extend: { object in
            object.answer(Self.variant) { _, value in value }
        }) { _, server, client async throws in
            #expect(try await client.call(Self.variant, value, to: server.uniqueName, at: Sample.path) == value)
        }
    }

    @Test func `typed values come back as they were sent`() async throws {
        let all = Method(
            Sample.interface, "All",
            takes: Arguments(
                ("a", [Bool].self), ("b", [Int16].self), ("c", [Double].self), ("d", [UInt8: [String]].self),
                ("e", [ObjectPath].self), ("f", [String: [String: Variant]].self), ("g", Signature.self)),
            gives: Arguments(
                ("a", [Bool].self), ("b", [Int16].self), ("c", [Double].self), ("d", [UInt8: [String]].self),
                ("e", [ObjectPath].self), ("f", [String: [String: Variant]].self), ("g", Signature.self)))
        try await withSample(extend: { object in object.answer(all) { _, input in input } }) {
            _, server, client async throws in
            let back = try await client.call(
                all,
                ([true, false], [-1, 2], [0.25], [3: ["x", "y"]], ["/", "/a"], ["k": ["v": .boolean(true)]], "as"),
                to: server.uniqueName, at: Sample.path)
            #expect(back.0 == [true, false])
            #expect(back.1 == [-1, 2])
            #expect(back.2 == [0.25])
            #expect(back.3 == [3: ["x", "y"]])
            #expect(back.4 == ["/", "/a"])
            #expect(back.5 == ["k": ["v": .boolean(true)]])
            #expect(back.6 == "as")
        }
    }

    static func nested(_ depth: Int) -> Variant {
        (0..<depth).reduce(.byte(1)) { inner, _ in .variant(inner) }
    }

    @Test(
        arguments: [
            .string("a\0b"), .structure([]), .array(element: "s", [.byte(1)]), .array(element: "", []),
            .array(element: "yy", []), nested(64),
            .entries(key: "v", value: "s", []),
            .entries(key: "s", value: "y", [Variant.Entry(key: .byte(1), value: .byte(1))]),
        ] as [Variant])
    func `a value that D-Bus does not have is an error and no abort`(_ value: Variant) async throws {
        try await withPrivateBus { bus in
            let client = try await bus.connect()
            let error = await #expect(throws: DBusError.self) {
                try await client.call(Self.variant, value, to: .bus, at: .bus)
            }
            guard case .invalidValue = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            _ = try await client.busID()
        }
    }

    @Test func `values may be nested as deeply as the specification allows`() async throws {
        try await withSample(extend: { object in
            object.answer(Self.variant) { _, value in value }
        }) { _, server, client async throws in
            let deep = Self.nested(63)
            #expect(try await client.call(Self.variant, deep, to: server.uniqueName, at: Sample.path) == deep)
        }
    }

    @Test func `names are checked`() {
        for right in ["org.example", "a.b-c", ":1.5"] { #expect(BusName(right)?.isUnique == right.hasPrefix(":")) }
        for wrong in ["", "org", "org..x", ".org.x", "org.1x", "a.b\0c", String(repeating: "a.", count: 200) + "b"] {
            #expect(BusName(wrong) == nil)
            #expect(InterfaceName(wrong) == nil)
            #expect(ErrorName(wrong) == nil)
        }
        for wrong in ["", "a", "/a/", "//", "/ä", "/a\0"] { #expect(ObjectPath(wrong) == nil) }
        for wrong in ["", "1a", "a.b", "a-b"] { #expect(MemberName(wrong) == nil) }
        for wrong in ["a", "{sv}", "()", "z", String(repeating: "y", count: 256)] { #expect(Signature(wrong) == nil) }
    }

    @Test func `a wrong name in the program stops it`() async {
        await #expect(processExitsWith: .failure) {
            let name: BusName = "not a name"
            print(name)
        }
    }

    @Test func `a value of another type is nil and no trap`() {
        #expect(Variant.string("1").uint64 == nil)
        #expect(Variant.strings(["a"]).uint32s == nil)
        #expect(Variant.uint64(5).uint64 == 5)
        #expect(Variant.strings(["a"]).strings == ["a"])
        #expect([UInt64](Variant.uint64s([1])) == [1])
        #expect([String](Variant.uint64s([1])) == nil)
    }
}
