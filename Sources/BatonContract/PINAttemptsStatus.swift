import DBus

/// One row of `ListPINAttempts`: the wrong PINs of a local account since its last right one, or since it was unlocked.
public struct PINAttemptsStatus: ReportMessage, Hashable {
    public var username: String = ""
    /// Where they were typed: at the start page, or elsewhere. The two are counted apart, and each locks only itself.
    public var isFromStartPage: Bool = true
    public var wrongPINs: UInt32 = 0
    /// When the lock ends, Unix time in microseconds; 0: it is not locked.
    public var lockedUntil: Int64 = 0

    public init() {}

    public init(username: String, isFromStartPage: Bool, wrongPINs: UInt32, lockedUntil: Int64) {
        self.username = username
        self.isFromStartPage = isFromStartPage
        self.wrongPINs = wrongPINs
        self.lockedUntil = lockedUntil
    }

    public static let fields: [MessageField<Self>] = [
        .value("username", \.username),
        .value("start-page", \.isFromStartPage, "typed at the start page; others are counted apart"),
        .value("wrong-pins", \.wrongPINs, "since the last right one; 0 while it is locked"),
        .value("locked-until", \.lockedUntil, "Unix microseconds, or 0"),
    ]
}
