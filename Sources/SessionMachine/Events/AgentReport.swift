public import Vocabulary

/// What an agent says, all of it about the requests of this batond but the start page.
public enum AgentReport: Hashable, Sendable {
    /// Whether it holds on to the process of a registration.
    public enum Watch: Hashable, Sendable {
        case held
        /// It cannot.
        case refused
        /// It did not answer.
        case unanswered
    }

    case watch(WatchPlan, Watch)
    /// The process of a registration has ended.
    case exited(Instance)
    case contained(AppKey, Containment)
    case browserSignedOut(Epoch, CheckOutcome, String, checks: [Barrier.Check] = [])
    case sharedHoldersCleared(Epoch, [Barrier.Check])
    /// Whether the screen of that turn is covered for a lock, and stays so when the agent is gone.
    case locked(Epoch, isCovered: Bool, lasts: Bool = false)
    /// The screen of that turn is open again.
    case unlocked(Epoch)
    case signInBrowserClosed(clean: Bool)
    /// Whether the start page is on the screen, where a browser is managed and no worker signs in or is signed in.
    case startPage(isShown: Bool)
    /// The last input of that turn, CLOCK_BOOTTIME in microseconds, from which the device is idle; nil: there is input again.
    case idle(Epoch, since: UInt64?)
}
