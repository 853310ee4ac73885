/// The arguments of a method or signal: their names, their types, and the way between them and a Swift tuple.
///
/// Written as `Arguments(("epoch", UInt64.self), ("account", VariantDictionary.self))`, whose values are
/// `(UInt64, VariantDictionary)`; of one argument the value itself, of none `()`.
public struct Arguments<Values: Sendable>: Sendable {
    /// One argument in introspection.
    public struct Declaration: Hashable, Sendable {
        public let name: String
        public let signature: String
        /// See `DBusValue.manual`.
        public let manual: String?
    }

    public private(set) var declarations: [Declaration]
    let read: @Sendable (inout ValueReader) throws(DBusError) -> Values
    let write: @Sendable (Values, inout ValueWriter) throws(DBusError) -> Void

    /// The types in a row, as they stand in a message.
    public var signature: String { declarations.map(\.signature).joined() }
}

extension Arguments {
    public init() where Values == Void {
        declarations = []
        read = { _ throws(DBusError) in }
        write = { _, _ throws(DBusError) in }
    }

    public init<A: DBusValue, B: DBusValue>(_ a: (String, A.Type), _ b: (String, B.Type)) where Values == (A, B) {
        declarations = [Self.declare(a), Self.declare(b)]
        read = { reader throws(DBusError) in
            (try A(from: &reader), try B(from: &reader))
        }
        write = { values, writer throws(DBusError) in
            try values.0.write(to: &writer)
            try values.1.write(to: &writer)
        }
    }

    public init<A: DBusValue, B: DBusValue, C: DBusValue>(
        _ a: (String, A.Type), _ b: (String, B.Type), _ c: (String, C.Type)
    ) where Values == (A, B, C) {
        declarations = [Self.declare(a), Self.declare(b), Self.declare(c)]
        read = { reader throws(DBusError) in
            (try A(from: &reader), try B(from: &reader), try C(from: &reader))
        }
        write = { values, writer throws(DBusError) in
            try values.0.write(to: &writer)
            try values.1.write(to: &writer)
            try values.2.write(to: &writer)
        }
    }

    public init<A: DBusValue, B: DBusValue, C: DBusValue, D: DBusValue>(
        _ a: (String, A.Type), _ b: (String, B.Type), _ c: (String, C.Type), _ d: (String, D.Type)
    ) where Values == (A, B, C, D) {
        declarations = [Self.declare(a), Self.declare(b), Self.declare(c), Self.declare(d)]
        read = { reader throws(DBusError) in
            (try A(from: &reader), try B(from: &reader), try C(from: &reader), try D(from: &reader))
        }
        write = { values, writer throws(DBusError) in
            try values.0.write(to: &writer)
            try values.1.write(to: &writer)
            try values.2.write(to: &writer)
            try values.3.write(to: &writer)
        }
    }

    public init<A: DBusValue, B: DBusValue, C: DBusValue, D: DBusValue, E: DBusValue>(
        _ a: (String, A.Type), _ b: (String, B.Type), _ c: (String, C.Type), _ d: (String, D.Type),
        _ e: (String, E.Type)
    ) where Values == (A, B, C, D, E) {
        declarations = [Self.declare(a), Self.declare(b), Self.declare(c), Self.declare(d), Self.declare(e)]
        read = { reader throws(DBusError) in
            (
                try A(from: &reader), try B(from: &reader), try C(from: &reader), try D(from: &reader),
                try E(from: &reader)
            )
        }
        write = { values, writer throws(DBusError) in
            try values.0.write(to: &writer)
            try values.1.write(to: &writer)
            try values.2.write(to: &writer)
            try values.3.write(to: &writer)
            try values.4.write(to: &writer)
        }
    }

    public init<A: DBusValue, B: DBusValue, C: DBusValue, D: DBusValue, E: DBusValue, F: DBusValue>(
        _ a: (String, A.Type), _ b: (String, B.Type), _ c: (String, C.Type), _ d: (String, D.Type),
        _ e: (String, E.Type), _ f: (String, F.Type)
    ) where Values == (A, B, C, D, E, F) {
        declarations = [
            Self.declare(a), Self.declare(b), Self.declare(c), Self.declare(d), Self.declare(e), Self.declare(f),
        ]
        read = { reader throws(DBusError) in
            (
                try A(from: &reader), try B(from: &reader), try C(from: &reader), try D(from: &reader),
                try E(from: &reader), try F(from: &reader)
            )
        }
        write = { values, writer throws(DBusError) in
            try values.0.write(to: &writer)
            try values.1.write(to: &writer)
            try values.2.write(to: &writer)
            try values.3.write(to: &writer)
            try values.4.write(to: &writer)
            try values.5.write(to: &writer)
        }
    }

    public init<A: DBusValue, B: DBusValue, C: DBusValue, D: DBusValue, E: DBusValue, F: DBusValue, G: DBusValue>(
        _ a: (String, A.Type), _ b: (String, B.Type), _ c: (String, C.Type), _ d: (String, D.Type),
        _ e: (String, E.Type), _ f: (String, F.Type), _ g: (String, G.Type)
    ) where Values == (A, B, C, D, E, F, G) {
        declarations = [
            Self.declare(a), Self.declare(b), Self.declare(c), Self.declare(d), Self.declare(e), Self.declare(f),
            Self.declare(g),
        ]
        read = { reader throws(DBusError) in
            (
                try A(from: &reader), try B(from: &reader), try C(from: &reader), try D(from: &reader),
                try E(from: &reader), try F(from: &reader), try G(from: &reader)
            )
        }
        write = { values, writer throws(DBusError) in
            try values.0.write(to: &writer)
            try values.1.write(to: &writer)
            try values.2.write(to: &writer)
            try values.3.write(to: &writer)
            try values.4.write(to: &writer)
            try values.5.write(to: &writer)
            try values.6.write(to: &writer)
        }
    }

    public init<
        A: DBusValue, B: DBusValue, C: DBusValue, D: DBusValue, E: DBusValue, F: DBusValue, G: DBusValue, H: DBusValue
    >(
        _ a: (String, A.Type), _ b: (String, B.Type), _ c: (String, C.Type), _ d: (String, D.Type),
        _ e: (String, E.Type), _ f: (String, F.Type), _ g: (String, G.Type), _ h: (String, H.Type)
    ) where Values == (A, B, C, D, E, F, G, H) {
        declarations = [
            Self.declare(a), Self.declare(b), Self.declare(c), Self.declare(d), Self.declare(e), Self.declare(f),
            Self.declare(g), Self.declare(h),
        ]
        read = { reader throws(DBusError) in
            (
                try A(from: &reader), try B(from: &reader), try C(from: &reader), try D(from: &reader),
                try E(from: &reader), try F(from: &reader), try G(from: &reader), try H(from: &reader)
            )
        }
        write = { values, writer throws(DBusError) in
            try values.0.write(to: &writer)
            try values.1.write(to: &writer)
            try values.2.write(to: &writer)
            try values.3.write(to: &writer)
            try values.4.write(to: &writer)
            try values.5.write(to: &writer)
            try values.6.write(to: &writer)
            try values.7.write(to: &writer)
        }
    }

    private static func declare<Value: DBusValue>(_ argument: (String, Value.Type)) -> Declaration {
        Declaration(name: argument.0, signature: Value.signature, manual: Value.manual)
    }
}

extension Arguments {
    /// The same with a manual for one argument, whose type does not say what its dictionary has.
    public func describing(_ name: String, as manual: String?) -> Self {
        var arguments = self
        arguments.declarations = declarations.map { declaration in
            guard declaration.name == name else { return declaration }
            return Declaration(name: name, signature: declaration.signature, manual: manual)
        }
        return arguments
    }
}

extension Arguments where Values: DBusValue {
    public init(_ a: (String, Values.Type)) {
        declarations = [Self.declare(a)]
        read = { reader throws(DBusError) in try Values(from: &reader) }
        write = { value, writer throws(DBusError) in try value.write(to: &writer) }
    }
}
