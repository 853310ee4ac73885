public import Vocabulary

/// What a journal that wrote for too long has done to the sign-out of an epoch. Its deadlines have to move, with
/// `Event.announcedLate`.
public enum SlowWrite: Hashable, Sendable {
    /// The announcement was in what was written, and goes out late: `Effect.postponed` gives it the later deadline.
    case delayedAnnouncement(Epoch)
    /// The sign-out was announced before. A supervisor that could not read messages meanwhile has to give that time back.
    case delayedAnswers(Epoch)
}

extension Machine {
    /// Whether the deadlines have to move after a write.
    ///
    /// - Parameters:
    ///   - delay: How long the write took, in microseconds.
    ///   - effects: What was held back until it was written.
    /// - Returns: Nil if no sign-out runs, or if its deadlines allow for that delay: to move them would be one more thing to
    ///   write.
    public func slowWrite(of delay: UInt64, holding effects: some Sequence<Effect>) -> SlowWrite? {
        guard delay > policy.soft / 2, let barrier = ledger.barrier else { return nil }
        if effects.contains(where: { $0.announcesEnd(of: barrier.epoch) }) {
            return .delayedAnnouncement(barrier.epoch)
        }
        return barrier.ended ? nil : .delayedAnswers(barrier.epoch)
    }
}

extension Effect {
    fileprivate func announcesEnd(of epoch: Epoch) -> Bool {
        if case .announce(.signingOut(epoch, _, _, _)) = self { true } else { false }
    }

    /// The same with a later deadline, if it announces one of a sign-out; `delay` in microseconds.
    public func postponed(by delay: UInt64) -> Effect {
        guard case .announce(.signingOut(let epoch, let holder, let reason, let deadline)) = self, deadline != 0 else {
            return self
        }
        let (later, overflow) = deadline.addingReportingOverflow(delay)
        return .announce(.signingOut(epoch, holder, reason, deadline: overflow ? deadline : later))
    }
}
