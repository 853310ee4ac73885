import BatonContract
import DBus
import Settings

extension DictionaryMessage {
    /// Reads what a caller wrote, which can be anything.
    ///
    /// - Throws: `InvalidArgument`, whose text names the key and repeats no value. Keys that are unknown, and known ones of
    ///   another type, are faults and not ignored.
    init(fromCaller values: VariantDictionary, each kind: String = "option") throws(BatonError) {
        if let name = values.keys.first(where: { key in !Self.fields.contains { $0.key == key } }) {
            throw .unknown(kind, name)
        }
        do throws(DBusError) {
            try self.init(values)
        } catch {
            throw BatonError(.invalidArgument, "The \(kind) \(error).")
        }
    }
}

extension BatonError {
    static func unknown(_ kind: String, _ name: String) -> BatonError {
        BatonError(.invalidArgument, "There is no \(kind) '\(SettingsText.printable(name))'.")
    }
}
