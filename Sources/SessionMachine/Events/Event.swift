public import Vocabulary

/// Something that happened, and when: all that the machine ever learns about the world.
public struct Event: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        // The supervisor itself.
        case started(StartFindings)
        case tick
        case policyChanged(Policy)
        case journalFailed
        /// The journal holds again all that the ledger holds, also the records whose writing had failed.
        case journalRecovered

        /// The announcement of that epoch's end came so many microseconds after its begin, or no app could be heard for so
        /// long since: the journal took them.
        case announcedLate(Epoch, by: UInt64)

        // Apps.
        case register(Call, Registering)
        case acknowledge(Call, Acknowledging)
        case extend(Call, Sender, Epoch, Instance, microseconds: UInt64)
        case leave(Call, Sender, Instance)
        /// An acknowledgement that the adapter could not take.
        case refused(Acknowledging, Refusal)
        /// A process that is not the agent spoke in its place.
        case posedAsAgent(Sender)
        case misused(Misuse)
        /// The connection left the bus.
        case disconnected(Sender)

        // Sign-in.
        /// - comesFirst: Another's attempt gives way to it.
        case signIn(Call, Sender, comesFirst: Bool = false)
        case cancelSignIn(Call, Sender, privileged: Bool)
        case signInUsesBrowser(Attempt)
        case signInSucceeded(Attempt, TurnAccount)
        case signInFailed(Attempt, Refusal)
        /// The answer to `askForPages`.
        case providerPages(ProviderPages?, Epoch, for: AgentNumber)
        /// What the provider was told of the end of an epoch; `pending` may be followed by a better one.
        case signedOutAtProvider(Epoch, ProviderReport)

        // Sign-out. The adapter has checked that the caller may give this reason.
        case signOut(Call, epoch: Epoch?, SignOutReason, from: Sender? = nil)
        /// No caller shall be told any more who held the device in that epoch.
        case forgetPrevious(Call, Epoch)
        case automaticSignOutDue(SignOutReason)
        case keepSignedIn(Call)
        /// - hasPIN: The worker has one in this turn, be it chosen for it.
        /// - withoutPIN: They want none, and come back by phone.
        case lock(Call, hasPIN: Bool, withoutPIN: Bool = false)
        /// The worker is back, as this shall show.
        case unlock(Call, Sender, by: UnlockProof = .pin)
        /// The machine is about to sleep or to be switched off: `Effect.allowPowerDown` answers.
        case powersDown(SignOutReason)
        /// It has slept, or does neither after all.
        case staysUp

        // The agent.
        /// It has taken the settings, and can be prepared for the apps that take part.
        case agentArrived(AgentNumber)
        /// It comes with hold of processes of these registrations, whose user is the agent's own. Told before it has registered.
        case agentHolds([Instance], uid: UInt32)
        /// It is prepared.
        case agentRegistered(AgentNumber)
        case agentLost(AgentNumber)
        case agentReported(AgentNumber, AgentReport)
        /// The supervisor itself has looked.
        case processExited(Instance)

        // The turn users.
        /// The answer to `chooseTurnUser`; nil: of each of them something is left.
        case turnUserChosen(TurnUser?)
        /// The answer to `endTurn`.
        case turnEnded(Epoch, TurnEnd)

        // Administrators. The adapter has checked that they are.
        case endQuarantine(Call)
        case forgetApp(Call, AppKey)
        case setMode(Call, Mode, from: Sender? = nil)
    }

    public let at: Moment
    /// When it may have been sent, if batond did not listen for a while: a deadline that came in between has not passed for it.
    /// Nil: at that moment.
    public let sent: Moment?
    public let kind: Kind

    public init(_ kind: Kind, at: Moment, sent: Moment? = nil) {
        self.kind = kind
        self.at = at
        self.sent = sent
    }

    /// The time that counts for it: an app's or the agent's word is not late because it was heard late.
    var counts: Moment {
        switch kind {
        case .acknowledge, .extend, .leave, .disconnected, .processExited, .agentReported(_, .exited),
            .agentReported(_, .contained):
            sent ?? at
        default: at
        }
    }
}

/// What the supervisor finds when it starts.
public struct StartFindings: Hashable, Sendable {
    /// The bus's id: unique names are only comparable within one.
    public var busID: String
    public var bootID: String
    /// The registered connections that are still on the bus, with the same user and process as journalled.
    public var alive: Set<Sender>
    /// A marker says that a barrier ran which could not be journalled.
    public var marked: Bool
    /// It says that a sign-out was asked for while the journal could not be read.
    public var signOutAsked: Bool

    public init(
        busID: String, bootID: String, alive: Set<Sender>, marked: Bool = false, signOutAsked: Bool = false
    ) {
        self.busID = busID
        self.bootID = bootID
        self.alive = alive
        self.marked = marked
        self.signOutAsked = signOutAsked
    }
}

/// An app's request to take part.
public struct Registering: Hashable, Sendable {
    public var sender: Sender
    public var app: AppKey
    public var pid: Int32
    /// That file, or its launch by the agent, asks for the token.
    public var mustProve: Bool
    /// It showed the right token.
    public var proven: Bool
    public var clearedThrough: Epoch

    public init(
        sender: Sender, app: AppKey, pid: Int32, mustProve: Bool = false, proven: Bool = false,
        clearedThrough: Epoch = 0
    ) {
        self.sender = sender
        self.app = app
        self.pid = pid
        self.mustProve = mustProve
        self.proven = proven
        self.clearedThrough = clearedThrough
    }
}

/// An app's word about its clearing.
public struct Acknowledging: Hashable, Sendable {
    public var sender: Sender
    public var epoch: Epoch
    public var instance: Instance
    public var outcome: AcknowledgementOutcome
    public var details: String

    public init(sender: Sender, epoch: Epoch, instance: Instance, outcome: AcknowledgementOutcome, details: String = "")
    {
        self.sender = sender
        self.epoch = epoch
        self.instance = instance
        self.outcome = outcome
        self.details = details
    }
}

/// What the agent reports of one containment.
public struct Containment: Hashable, Sendable {
    public var epoch: Epoch
    public var outcome: ContainmentOutcome
    /// The instances that the request named.
    public var instances: [Instance]
    /// Nil: nothing was ended.
    public var proof: Proof?
    public var explanation: Explanation

    public init(
        epoch: Epoch, outcome: ContainmentOutcome, instances: [Instance] = [], proof: Proof? = nil,
        explanation: Explanation = []
    ) {
        self.epoch = epoch
        self.outcome = outcome
        self.instances = instances
        self.proof = proof
        self.explanation = explanation
    }
}
