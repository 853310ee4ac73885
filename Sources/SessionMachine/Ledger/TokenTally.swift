public import Vocabulary

/// How many tokens each app was given in one turn.
public struct TokenTally: Hashable, Sendable, Codable {
    public struct Row: Hashable, Sendable, Codable {
        /// Nil: all apps together that have no row.
        public var app: AppKey?
        public var count: UInt32

        public init(app: AppKey?, count: UInt32) {
            self.app = app
            self.count = count
        }
    }

    /// Apps that have a row of their own; any process can claim ids without end.
    static let mostRows = 64

    public var epoch: Epoch
    public var rows: [Row] = []
    /// Why there may have been more; empty: each token was counted.
    public var explanation = Explanation()

    public init(epoch: Epoch, rows: [Row] = [], explanation: Explanation = []) {
        self.epoch = epoch
        self.rows = rows
        self.explanation = explanation
    }

    mutating func count(_ app: AppKey) {
        let known = rows.firstIndex { $0.app == app }
        let row = known ?? (rows.count < Self.mostRows ? nil : rows.firstIndex { $0.app == nil })
        guard let row else {
            rows.append(Row(app: rows.count < Self.mostRows ? app : nil, count: 1))
            return
        }
        let (count, overflow) = rows[row].count.addingReportingOverflow(1)
        rows[row].count = overflow ? .max : count
    }
}

extension Machine {
    /// Counts a token for the receipt of its turn. It comes by no event, so that no sign-out comes in between.
    public mutating func countToken(_ app: AppKey, _ epoch: Epoch) {
        if tokens.epoch != epoch { tokens = TokenTally(epoch: epoch) }
        tokens.count(app)
    }

    /// Goes back to what it was, which takes back no token that has been given since.
    public mutating func revert(to before: Machine) {
        let given = tokens
        self = before
        if given.epoch == ledger.device.turn?.epoch { tokens = given }
    }

    /// What was given in the open turn before this start is counted nowhere, since a count is not worth a write for each
    /// token.
    mutating func forgetTokens() {
        guard let turn = ledger.device.turn, policy.providerWait != nil else { return }
        tokens = TokenTally(epoch: turn.epoch, explanation: [.uncountedTokens])
    }
}
