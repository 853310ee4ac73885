import Vocabulary

/// Words about clearing, and in the agent's place, that are refused, and calls beyond measure: told, counted for the receipt,
/// and bounded for every sender.
extension Machine {
    /// Senders that the receipt names, and after them apps.
    private static let mostRows = 64
    /// So many of a row are told one by one, the others as a number when the turn ends: a log that is flooded loses what
    /// others wrote.
    private static let told = 3
    /// No unique name; the row stands for all senders that have none of their own.
    private static let others = OtherSenders.name

    mutating func reject(_ call: Call, _ word: Acknowledging, _ refusal: Refusal) {
        refuse(call, refusal)
        noteRejection(of: word, refusal)
    }

    mutating func noteRejection(of word: Acknowledging, _ refusal: Refusal) {
        if count(app(of: word.sender), word.sender, .refused(refusal.code)) {
            emit(.log(.acknowledgementRefused(word, refusal)))
        }
    }

    /// An agent that is not registered any more, or not yet, means no harm by it; an app does.
    mutating func noteImpostor(_ sender: Sender) {
        guard let app = app(of: sender) else { return }
        if count(app, sender, .refused(Refusal.notYours.code)) { emit(.log(.impostor(app, sender))) }
    }

    /// The process is named by the app that it has registered, on whichever of its connections.
    mutating func noteMisuse(_ misuse: Misuse) {
        let app = misuse.sender.flatMap { self.app(of: $0) } ?? self.app(of: misuse.pid)
        if count(app, misuse.sender ?? Self.others, .misuse(misuse.kind), misuse.count) {
            emit(.log(.misused(app, misuse)))
        }
    }

    private func app(of sender: Sender) -> AppKey? {
        ledger.instancesBySender[sender]?.first.flatMap { ledger.registrations[$0]?.app }
    }

    /// What has left the bus may have been another process with that number.
    private func app(of pid: Int32) -> AppKey? {
        ledger.registrations.filter { $0.value.connected && $0.value.pid == pid }.min { $0.key < $1.key }?.value.app
    }

    /// Whether it is to be told by itself.
    private mutating func count(
        _ app: AppKey?, _ sender: Sender, _ error: RejectionCause, _ more: UInt32 = 1
    ) -> Bool {
        let row = rejectionRow(app, sender, error)
        let before = rejections[row].count
        let (count, overflow) = before.addingReportingOverflow(more)
        rejections[row].count = overflow ? .max : count
        keepRejections(since: before, rejections[row].count)
        return before < Self.told
    }

    /// Writes them while there are few, and then whenever they have doubled: who sends words that are refused is not to keep
    /// the disk busy.
    private mutating func keepRejections(since before: UInt32, _ count: UInt32) {
        guard count <= Self.told || before.leadingZeroBitCount != count.leadingZeroBitCount else { return }
        if var barrier = ledger.barrier {
            guard !barrier.ended else { return }
            barrier.rejections = rejections
            write(.barrier(barrier))
        } else if ledger.device.turn != nil {
            let rejections = rejections
            updateDevice { $0.rejections = rejections }
        }
    }

    /// To be called when the receipt has been written.
    mutating func endRejections() {
        for row in rejections where row.count > Self.told {
            if case .misuse = row.error { continue }
            emit(.log(.acknowledgementsRefused(row)))
        }
        rejections = []
    }

    private mutating func rejectionRow(_ app: AppKey?, _ sender: Sender, _ error: RejectionCause) -> Int {
        let known = rejections.firstIndex {
            $0.sender == sender && $0.error == error && (sender != Self.others || $0.app == app)
        }
        if let known { return known }
        var next = Barrier.Rejection(app: app, sender: sender, error: error, count: 0)
        if rejections.count >= Self.mostRows {
            // Many connections of one app are told by that.
            next.sender = Self.others
            func row(_ app: AppKey?) -> Int? {
                rejections.firstIndex { $0.app == app && $0.sender == Self.others && $0.error == error }
            }
            if let row = row(app) { return row }
            if rejections.count >= Self.mostRows * 2 {
                next.app = nil
                if let row = row(nil) { return row }
            }
        }
        rejections.append(next)
        return rejections.count - 1
    }
}
