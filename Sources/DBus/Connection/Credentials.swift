/// Who is behind a connection, as the bus says.
public struct Credentials: Hashable, Sendable {
    public let uid: UInt32
    /// Nil when the bus does not know it.
    public let pid: Int32?
    /// All groups of the process; nil when the bus does not know them, which is not the same as none.
    public let groups: [UInt32]?

    public init(uid: UInt32, pid: Int32?, groups: [UInt32]?) {
        self.uid = uid
        self.pid = pid
        self.groups = groups
    }

    /// Nil without a user: there is no default for who a caller is.
    init?(_ values: VariantDictionary) {
        guard let uid = values["UnixUserID"]?.uint32 else { return nil }
        self.init(
            uid: uid, pid: values["ProcessID"]?.uint32.flatMap { Int32(exactly: $0) },
            groups: values["UnixGroupIDs"]?.uint32s)
    }
}
