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

/// The worker who holds the device, as the machine sees them: only `id` is ever compared.
public struct Holder: Hashable, Sendable, Codable {
    /// Issuer and subject, opaque.
    public let id: String
    /// The other keys of the contract's account dictionary, for people and for the provider.
    public let attributes: [String: String]

    public init(id: String, attributes: [String: String] = [:]) {
        self.id = id
        self.attributes = attributes
    }

    /// Of a turn that is known to have begun, and no more. The contract has nobody for it.
    public static let unknown = Holder(id: "")
}

/// The clocks at the instant of an event, each in microseconds.
public struct Moment: Hashable, Sendable {
    /// CLOCK_MONOTONIC: barrier deadlines. A suspended machine does not count.
    public let monotonic: UInt64
    /// CLOCK_BOOTTIME: automatic sign-out. A suspended machine counts.
    public let boottime: UInt64
    /// The Unix time: what people read in receipts.
    public let wall: Int64

    public init(monotonic: UInt64, boottime: UInt64, wall: Int64) {
        self.monotonic = monotonic
        self.boottime = boottime
        self.wall = wall
    }
}

extension UInt64 {
    /// Deadlines come from settings and peers, so adding to them must not trap.
    public func adding(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    public func subtracting(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }

    /// Microseconds as seconds, for people.
    var seconds: String {
        let tenths = (self / 100_000) % 10
        return tenths == 0 ? "\(self / 1_000_000)" : "\(self / 1_000_000).\(tenths)"
    }
}
