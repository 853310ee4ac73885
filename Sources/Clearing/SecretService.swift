import DBus

/// The part of the Secret Service API (org.freedesktop.secrets) that finds and deletes items.
enum SecretService {
    static let busName: BusName = "org.freedesktop.secrets"
    static let path: ObjectPath = "/org/freedesktop/secrets"
    static let interface: InterfaceName = "org.freedesktop.Secret.Service"
    static let collectionInterface: InterfaceName = "org.freedesktop.Secret.Collection"
    static let itemInterface: InterfaceName = "org.freedesktop.Secret.Item"

    /// Declared here for its time limit: a service that is stopped must not hold the barrier.
    static let properties = Method(
        "org.freedesktop.DBus.Properties", "GetAll", takes: Arguments(("interface_name", String.self)),
        gives: Arguments(("properties", VariantDictionary.self)))
    /// Answer with the path of a prompt, `/` when none is needed.
    static let deleteCollection = Method(collectionInterface, "Delete", gives: Arguments(("prompt", ObjectPath.self)))
    static let deleteItem = Method(itemInterface, "Delete", gives: Arguments(("prompt", ObjectPath.self)))
    static let dismissPrompt = Method("org.freedesktop.Secret.Prompt", "Dismiss")
    static let noPrompt: ObjectPath = "/"

    /// The collection that lives in memory, as gnome-keyring has it; it cannot be deleted.
    static let sessionCollection: ObjectPath = "/org/freedesktop/secrets/collection/session"
}

/// A collection of secrets, as far as it matters here.
struct SecretCollection: Sendable {
    let path: ObjectPath
    let items: [ObjectPath]
    let isLocked: Bool
    private let created: UInt64
    private let modified: UInt64

    /// Nil if the service does not say which items it has.
    init?(_ path: ObjectPath, _ properties: VariantDictionary) {
        guard let items = objectPaths(properties["Items"]) else { return nil }
        self.path = path
        self.items = items
        isLocked = properties["Locked"]?.boolean ?? false
        created = properties["Created"]?.uint64 ?? 0
        modified = properties["Modified"]?.uint64 ?? 0
    }

    /// gnome-keyring says of a collection that it made itself only when it was `Modified`, and of one that it read only when it was
    /// `Created`; both mean the making.
    func isMade(since second: UInt64) -> Bool {
        path != SecretService.sessionCollection && (created >= second || (created == 0 && modified >= second))
    }
}

/// A secret with its attributes, without the secret.
struct SecretItem: Sendable {
    private let schema: String?
    private let created: UInt64
    private let modified: UInt64
    let isLocked: Bool

    init(_ properties: VariantDictionary) {
        created = properties["Created"]?.uint64 ?? 0
        modified = properties["Modified"]?.uint64 ?? 0
        isLocked = properties["Locked"]?.boolean ?? false
        var schema = properties["Type"]?.string
        if case .entries(_, _, let entries) = properties["Attributes"] {
            let named = entries.first { $0.key == .string("xdg:schema") }
            schema = named?.value.string ?? schema
        }
        self.schema = schema
    }

    func isWritten(since second: UInt64) -> Bool { max(created, modified) >= second }

    /// The service does not tell when it was written. Of a locked one, as after a start, gnome-keyring does not know.
    var isOfUnknownAge: Bool { created == 0 && modified == 0 }

    func has(schema: String) -> Bool { self.schema == schema }
}

/// Nil if the value is no list.
func objectPaths(_ value: Variant?) -> [ObjectPath]? {
    guard case .array(_, let values) = value else { return nil }
    return values.compactMap(\.objectPath)
}
