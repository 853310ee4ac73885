import DBus

/// The part of polkit that says who may do what; see polkit(8) and the reference of `org.freedesktop.PolicyKit1.Authority`.
enum PolicyKit1 {
    static let busName: BusName = "org.freedesktop.PolicyKit1"
    static let path: ObjectPath = "/org/freedesktop/PolicyKit1/Authority"
    static let interface: InterfaceName = "org.freedesktop.PolicyKit1.Authority"

    /// A kind, and what it needs to be known by.
    typealias Subject = StructureOfTwo<String, VariantDictionary>
    /// Whether it may, whether it may after authentication, and details.
    typealias Answer = StructureOfThree<Bool, Bool, [String: String]>

    static let check = Method(
        interface, "CheckAuthorization",
        takes: Arguments(
            ("subject", Subject.self), ("action_id", String.self), ("details", [String: String].self),
            ("flags", UInt32.self), ("cancellation_id", String.self)),
        gives: Arguments(("result", Answer.self)))
    static let cancel = Method(
        interface, "CancelCheckAuthorization", takes: Arguments(("cancellation_id", String.self)))

    /// Flag of `check`: an agent of polkit may ask a person.
    static let allowUserInteraction: UInt32 = 1
    /// Detail of an answer: the person did not want to authenticate.
    static let dismissed = "polkit.dismissed"
}
