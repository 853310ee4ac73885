import SessionMachine
import Vocabulary

/// An event that the machine has handled: what is to be done, and the state that is shown with it.
struct HandledEvent {
    var effects: [Effect]
    var state: PublicState

    var records: [Record] { effects.flatMap(\.records) }

    func announcesEnd(of epoch: Epoch) -> Bool { effects.contains { $0.announcesEnd(of: epoch) } }

    /// The same with later deadlines.
    func postponed(by delay: UInt64) -> HandledEvent {
        HandledEvent(effects: effects.map { $0.postponed(by: delay) }, state: state)
    }
}

extension Effect {
    var records: [Record] {
        if case .journal(let records) = self { records } else { [] }
    }

    fileprivate func announcesEnd(of epoch: Epoch) -> Bool {
        if case .announce(.signingOut(epoch, _, _, _)) = self { true } else { false }
    }

    fileprivate func postponed(by delay: UInt64) -> Effect {
        guard case .announce(.signingOut(let epoch, let holder, let reason, let deadline)) = self, deadline != 0 else {
            return self
        }
        let (later, overflow) = deadline.addingReportingOverflow(delay)
        return .announce(.signingOut(epoch, holder, reason, deadline: overflow ? deadline : later))
    }
}
