extension Barrier {
    /// How far it has come.
    public enum Stage: Hashable, Sendable {
        /// After a reboot nothing is alive; the clocks start when the agent comes.
        case waitingForAgent(isClosed: Bool)
        /// The apps clear, or are contained.
        case participants
        /// All of them are settled; what is asked of agent and provider is not.
        case closed
        /// `SignedOut` was sent, and not all of it was proven.
        case quarantined(Retries)
    }

    /// The tries to leave a quarantine; CLOCK_MONOTONIC in microseconds.
    public struct Retries: Hashable, Sendable {
        /// When the last one began; 0: none yet.
        public var last: UInt64 = 0
        /// Until when one is under way; 0: none is.
        public var ends: UInt64 = 0
    }

    public var waitsForAgent: Bool { if case .waitingForAgent = stage { true } else { false } }

    /// The participants step has closed.
    public var closed: Bool {
        switch stage {
        case .waitingForAgent(let isClosed): isClosed
        case .participants: false
        case .closed, .quarantined: true
        }
    }

    /// It is over but for the quarantine.
    public var ended: Bool { if case .quarantined = stage { true } else { false } }

    /// Of a barrier that is not over there are none.
    public internal(set) var retries: Retries {
        get { if case .quarantined(let retries) = stage { retries } else { Retries() } }
        set { if ended { stage = .quarantined(newValue) } }
    }

    mutating func waitForAgent() { if !ended { stage = .waitingForAgent(isClosed: closed) } }

    /// The agent has come, or none is required.
    mutating func goOn() { if waitsForAgent { stage = closed ? .closed : .participants } }

    mutating func close() {
        switch stage {
        case .waitingForAgent: stage = .waitingForAgent(isClosed: true)
        case .participants: stage = .closed
        case .closed, .quarantined: break
        }
    }

    mutating func quarantine() { stage = .quarantined(Retries()) }
}
