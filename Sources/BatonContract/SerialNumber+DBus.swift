public import DBus
public import Vocabulary

/// Epochs and instances travel as D-Bus's `t`.
extension SerialNumber where Self: VariantConvertible {
    public static var signature: String { UInt64.signature }

    public init(from reader: inout ValueReader) throws(DBusError) { self.init(rawValue: try UInt64(from: &reader)) }

    public func write(to writer: inout ValueWriter) throws(DBusError) { try rawValue.write(to: &writer) }

    public var variant: Variant { .uint64(rawValue) }

    public init?(_ variant: Variant) {
        guard let number = variant.uint64 else { return nil }
        self.init(rawValue: number)
    }
}

extension Epoch: VariantConvertible {}
extension Instance: VariantConvertible {}
