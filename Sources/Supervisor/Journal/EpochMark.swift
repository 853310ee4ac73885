internal import Supervision

/// The highest epoch, in a small file beside the journal that outlives it.
///
/// It is what tells an older copy of the journal from the current one: the file is written before an epoch begins, once
/// it has begun, and once it has ended. One word of text after the number says which; without it, `begun` is meant.
struct EpochMark: Hashable, Sendable {
    enum Stage: String, Sendable {
        /// About to begin: the journal may or may not know it, and nobody else does.
        case reserved
        case begun
        case ended
    }

    /// Above this a number is damage, not a count.
    static let greatest: Epoch = 1 << 62

    var epoch: Epoch
    var stage: Stage

    init(_ epoch: Epoch, _ stage: Stage) {
        self.epoch = epoch
        self.stage = stage
    }

    /// Nil when this is no epoch.
    init?(text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard let first = words.first, words.count <= 2, first.allSatisfy({ $0.isASCII && $0.isNumber }),
            let epoch = Epoch(first), epoch <= Self.greatest
        else { return nil }
        guard let second = words.dropFirst().first else {
            self.init(epoch, .begun)
            return
        }
        guard let stage = Stage(rawValue: String(second)) else { return nil }
        self.init(epoch, stage)
    }

    /// What a file says that goes with this ledger.
    init(of ledger: Ledger) {
        self.init(ledger.device.epoch, ledger.device.turn == nil ? .ended : .begun)
    }

    /// Nil when there is none, or with a notice when it cannot be one.
    static func read(_ folder: StateFolder, _ notices: inout [String]) throws(JournalFault) -> EpochMark? {
        guard let bytes = try StateFolder.read(folder.epoch, limit: 64) else { return nil }
        if let mark = EpochMark(text: String(decoding: bytes, as: UTF8.self)) { return mark }
        notices.append("\(folder.epoch): this is no epoch; it counts as lost")
        return nil
    }

    func write(_ folder: StateFolder) throws(JournalFault) {
        try folder.replace(folder.epoch, with: "\(epoch) \(stage.rawValue)\n")
    }

    /// Whether a journal with this ledger has missed something that is known to have happened.
    func isAhead(of ledger: Ledger) -> Bool {
        let device = ledger.device
        if epoch == device.epoch { return stage == .ended && device.turn != nil }
        guard epoch > device.epoch else { return false }
        // Killed between reserving and beginning: the number was never given to anybody.
        return !(stage == .reserved && epoch - 1 == device.epoch && device.turn == nil)
    }
}
