/// What the page shows to people who write apps: the calls of the page, the signals of the device, and the account as apps get it.
///
/// It is a turn's. At the sign-out all of it is gone, and an answer that comes later goes nowhere.
struct DeveloperLog: Sendable, Equatable, Encodable {
    struct Line: Sendable, Equatable, Encodable {
        /// Unix time in milliseconds.
        var time = UnixTime.milliseconds
        var isSignal = false
        /// As the bus contract calls it.
        var name: String
        /// What it brought, or the name of the error.
        var text = ""
        /// Why a call was refused: the name of a text, or the text itself.
        var reason = ""
        /// How long the answer took; nil: it is no call.
        var milliseconds: Int?
    }

    /// Older ones make room.
    static let most = 40

    /// The newest first.
    private(set) var lines: [Line] = []
    /// What `GetCurrentAccount` gave, by the contract's keys.
    private(set) var account: [[String]] = []
    /// Of the sign-outs that it has seen.
    private(set) var number = 0
    private var holder = ""

    private enum CodingKeys: CodingKey { case lines, account }

    mutating func add(_ line: Line) {
        lines.insert(line, at: 0)
        lines.removeLast(max(0, lines.count - Self.most))
    }

    /// - Parameters:
    ///   - number: Of the log when the call was made.
    ///   - account: Nil: the call was about another thing.
    mutating func add(_ line: Line, account: [[String]]?, of number: Int) {
        guard number == self.number else { return }
        if let account { self.account = account }
        add(line)
    }

    /// - Parameter holder: The account that holds the device; empty: none does.
    mutating func belong(to holder: String) {
        if !self.holder.isEmpty, holder != self.holder { clear() }
        self.holder = holder
    }

    mutating func clear() {
        (lines, account, holder) = ([], [], "")
        number += 1
    }
}
