import SessionMachine

/// An event that the machine has handled: what is to be done, and the state that is shown with it.
struct HandledEvent {
    var effects: [Effect]
    var state: PublicState

    var records: [Record] { effects.flatMap(\.records) }

    /// The same with later deadlines.
    func postponed(by delay: UInt64) -> HandledEvent {
        HandledEvent(effects: effects.map { $0.postponed(by: delay) }, state: state)
    }
}

extension Effect {
    var records: [Record] {
        if case .journal(let records) = self { records } else { [] }
    }
}
