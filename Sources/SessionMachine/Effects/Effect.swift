public import Vocabulary

/// Something for the supervisor to do, in the order of the list. Journal records come before all else.
public enum Effect: Hashable, Sendable {
    case journal([Record])
    /// The journal cannot be written: leave a mark that a restart reads as a quarantine.
    case mark
    /// A sign-out was asked for while the journal cannot be read: leave a mark with which the start that can read it signs out.
    case rememberSignOut
    /// Removes either mark.
    case unmark
    /// The public state may have changed: compare and announce.
    case publish
    case announce(Announcement)
    case reply(Call, Answer)
    case authenticate(SignInPlan)
    case abandon(Attempt)
    // The provider alone has the tokens of an attempt and of a turn, and finds them by these numbers: what is in them is secret,
    // and the machine holds no secrets. Nothing else of the machine is needed for it.

    /// The sign-in took the device, or proved its holder again: its tokens belong to that epoch.
    case adopt(Attempt, Epoch)
    /// The sign-in came to nothing: its tokens belong to no turn.
    case discard(Attempt)
    /// Ask the provider for its pages: that agent shall be handed the turn with them.
    case askForPages(Epoch, for: AgentNumber)
    /// Tell the provider, with the tokens of that epoch, that the worker has left.
    case signOutAtProvider(Epoch)
    /// Asked of that agent, and of no other that has come meanwhile.
    case agent(Request, of: AgentNumber)
    /// Look for a user of whom nothing is left, beginning after that one: `Event.turnUserChosen` answers. What runs as any other
    /// than the one of the turn that goes on is ended.
    case chooseTurnUser(after: TurnUser?, beside: TurnUser?)
    /// End all that runs as that user: `Event.turnEnded` answers. The limit is in microseconds.
    case endTurn(Epoch, TurnUser, limit: UInt64)
    /// End what runs as any other turn user. Nothing waits for it.
    case endTurns(except: [TurnUser])
    /// The machine may sleep or be switched off, which it waited with.
    case allowPowerDown
    case log(Remark)

    /// A broadcast.
    public enum Announcement: Hashable, Sendable {
        case signedIn(Epoch, TurnAccount)
        case signingOut(Epoch, TurnAccount, SignOutReason, deadline: UInt64)
        case signedOut(Epoch, TurnAccount, Outcome)
        case automaticSignOutPending(SignOutReason, deadline: UInt64)
        case automaticSignOutCancelled
    }

    /// One line in the log; the supervisor adds the time and the epoch.
    public enum Remark: Hashable, Sendable {
        case acknowledgementRefused(Acknowledging, Refusal)
        /// How many of a row were refused in all, where not each was told.
        case acknowledgementsRefused(Barrier.Rejection)
        /// An app spoke in the agent's place.
        case impostor(AppKey, Sender)
        /// A process does little else than call.
        case misused(AppKey?, Misuse)
        case outOfPlace(OutOfPlace)
        case agentMissing
        case doomed(Explanation)
        case released(Barrier.Release)
        /// The screen is covered for a lock, or cannot be.
        case locked(Epoch, isCovered: Bool)
        case unlocked(Epoch)
        /// The PIN at the lock was wrong for the so-manieth time.
        case unlockRefused(Epoch, Int)
    }

    /// An event that nothing waited for.
    public enum OutOfPlace: Hashable, Sendable {
        /// Of an agent that has left.
        case agentReport
        /// Of an agent that nothing is known of.
        case registration
        case containment, browserSignOut, sharedHolders, signIn, turnUser, turnEnd, lock
    }
}

/// The answer to a call.
public enum Answer: Hashable, Sendable {
    public struct Registered: Hashable, Sendable {
        public var instance: Instance
        public var epoch: Epoch
        public var phase: Phase
        public var clearThrough: Epoch
        public var holder: TurnAccount?
    }

    case done
    case signedIn(Epoch, TurnAccount)
    /// The receipt is nil where there was nothing to sign out.
    case signedOut(Epoch, ReceiptRecord?)
    case registered(Registered)
    case deadline(UInt64)
    case receipt(ReceiptRecord?)
    case refused(Refusal)
}
