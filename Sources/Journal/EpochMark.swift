package import SessionMachine
package import Vocabulary

/// The highest epoch, in a small file beside the journal that outlives it.
///
/// It is what tells an older copy of the journal from the current one: the file is written before an epoch begins, once
/// it has begun, and once it has ended well. One word of text after the number says which; without it, `begun` is meant. When the
/// turn began may follow, on both clocks and with the boot's id: a batond that has to end it without a journal needs that.
package struct EpochMark: Hashable, Sendable {
    package enum Progress: String, Sendable, Comparable {
        /// About to begin: the journal may or may not know it, and nothing else does.
        case reserved
        case begun
        case ended

        private var rank: Int {
            switch self {
            case .reserved: 0
            case .begun: 1
            case .ended: 2
            }
        }

        package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
    }

    /// Above this a number is damage, not a count.
    package static let greatest = Epoch(rawValue: 1 << 62)

    package var epoch: Epoch
    var progress: Progress
    /// When the turn began; nil: not known, or over.
    var begin: Ledger.Begin?

    package init(_ epoch: Epoch, _ progress: Progress, begin: Ledger.Begin? = nil) {
        self.epoch = epoch
        self.progress = progress
        self.begin = begin
    }

    /// Nil when this is no epoch.
    init?(text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard let first = words.first, [1, 2, 5].contains(words.count), first.allSatisfy({ $0.isASCII && $0.isNumber }),
            let epoch = Epoch(first), epoch <= Self.greatest
        else { return nil }
        guard let second = words.dropFirst().first else {
            self.init(epoch, .begun)
            return
        }
        guard let progress = Progress(rawValue: String(second)) else { return nil }
        self.init(epoch, progress)
        guard words.count == 5 else { return }
        guard let wall = Int64(words[2]), let boottime = UInt64(words[3]) else { return nil }
        begin = Ledger.Begin(wall: wall, boottime: boottime, bootID: String(words[4]))
    }

    var text: String {
        guard let begin, let boottime = begin.boottime, !begin.bootID.isEmpty,
            !begin.bootID.contains(where: \.isWhitespace)
        else { return "\(epoch) \(progress.rawValue)" }
        return "\(epoch) \(progress.rawValue) \(begin.wall) \(boottime) \(begin.bootID)"
    }

    /// What a file says that goes with this ledger.
    init(of ledger: Ledger) {
        let turn = ledger.device.turn
        // What a quarantine keeps from being ready has not ended.
        let isOpen = turn != nil || ledger.barrier != nil
        let begin = turn?.began ?? ledger.barrier?.began
        self.init(ledger.device.epoch, isOpen ? .begun : .ended, begin: isOpen ? begin : nil)
    }

    /// It is not known that the turn has ended.
    var isOpen: Bool { progress != .ended }

    /// What is known by both.
    static func later(_ one: EpochMark?, _ other: EpochMark?) -> EpochMark? {
        guard let one, let other else { return one ?? other }
        return (one.epoch, one.progress) < (other.epoch, other.progress) ? other : one
    }

    /// Nil when there is none, or with a notice when it cannot be one.
    package static func read(_ folder: StateFolder, _ notices: inout [String]) throws(JournalFault) -> EpochMark? {
        guard let bytes = try StateFolder.read(folder.epoch, limit: 256) else { return nil }
        if let mark = EpochMark(text: String(decoding: bytes, as: UTF8.self)) { return mark }
        notices.append("\(folder.epoch): not an epoch; it is treated as lost")
        return nil
    }

    func write(_ folder: StateFolder) throws(JournalFault) {
        try folder.replace(folder.epoch, with: text + "\n")
    }

    /// Whether a journal with this ledger has missed something that is known to have happened.
    func isAhead(of ledger: Ledger) -> Bool {
        let device = ledger.device
        if epoch == device.epoch { return progress == .ended && device.turn != nil }
        guard epoch > device.epoch else { return false }
        // Killed between reserving and beginning: no app was ever given the number.
        return !(progress == .reserved && epoch.previous == device.epoch && device.turn == nil)
    }
}
