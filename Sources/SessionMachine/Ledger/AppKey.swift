/// The unique bus name of a connection, such as `:1.42`.
public typealias Sender = String

/// An app as the roster knows it: the user it runs as and its id.
public struct AppKey: Hashable, Comparable, Sendable, Codable {
    public let uid: UInt32
    public let id: String

    public init(uid: UInt32, id: String) {
        self.uid = uid
        self.id = id
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.id, left.uid) < (right.id, right.uid)
    }
}
