import DBus

/// The questions to polkit that are not answered yet, and how many there may be.
///
/// polkit takes one after the other, and each may show a window to a person.
struct OpenQuestions: Equatable {
    static let mostOfCaller = 2
    static let mostOfUser = 4
    /// Those of one user leave room for others.
    static let most = 16

    private var callers: [BusName: Int] = [:]
    private var users: [UInt32: Int] = [:]
    private var count = 0

    /// False: there are too many.
    mutating func begin(_ caller: BusName, _ user: UInt32) -> Bool {
        guard count < Self.most, users[user, default: 0] < Self.mostOfUser,
            callers[caller, default: 0] < Self.mostOfCaller
        else { return false }
        change(caller, user, by: 1)
        return true
    }

    mutating func end(_ caller: BusName, _ user: UInt32) { change(caller, user, by: -1) }

    private mutating func change(_ caller: BusName, _ user: UInt32, by one: Int) {
        count += one
        users[user] = Self.nothing(users[user, default: 0] + one)
        callers[caller] = Self.nothing(callers[caller, default: 0] + one)
    }

    private static func nothing(_ count: Int) -> Int? { count > 0 ? count : nil }
}
