public import Vocabulary

/// The registrations whose process the agent shall hold on to.
public struct WatchPlan: Hashable, Sendable {
    public var instance: Instance
    public var app: AppKey
    public var sender: Sender
    public var pid: Int32

    package init(instance: Instance, app: AppKey, sender: Sender, pid: Int32) {
        self.instance = instance
        self.app = app
        self.sender = sender
        self.pid = pid
    }
}

/// When a turn began.
public struct TurnBegin: Hashable, Sendable {
    /// Unix time in microseconds; 0: not known.
    public var wall: Int64
    /// CLOCK_BOOTTIME in microseconds; nil: not known. The greatest number: in another boot, whose processes are all gone.
    public var boottime: UInt64?

    package init(wall: Int64, boottime: UInt64?) {
        self.wall = wall
        self.boottime = boottime
    }
}

/// A turn has begun, or goes on with an agent that is new.
public struct TurnPlan: Hashable, Sendable {
    public var epoch: Epoch
    public var holder: TurnAccount
    public var began: TurnBegin
    /// As whom the turn's programs run; nil: as the agent's own user.
    public var user: TurnUser?
    /// For the worker's browser; nil: none is managed, or the provider has no such pages or cannot name them now.
    public var pages: ProviderPages?

    package init(epoch: Epoch, holder: TurnAccount, began: TurnBegin, user: TurnUser? = nil, pages: ProviderPages?) {
        self.epoch = epoch
        self.holder = holder
        self.began = began
        self.user = user
        self.pages = pages
    }
}

/// The end of an app: of its processes, and of what it wrote where the settings know its folders.
public struct ContainmentPlan: Hashable, Sendable {
    public var epoch: Epoch
    public var app: AppKey
    /// Without its file it is not known what to wipe, which is not the same as nothing to wipe.
    public var isListed: Bool
    /// Registrations that have not cleared, and those whose process the agent saw end in this turn: what that one has left
    /// running is the app's too.
    public var instances: [Instance]
    /// Connections that must be gone from the bus when it is done.
    public var connections: [Sender]
    public var data: AppData
    /// In microseconds.
    public var limit: UInt64
}

/// The sign-out from the browser.
public struct BrowserPlan: Hashable, Sendable {
    public var epoch: Epoch
    /// A browser is managed, in which the provider may have a session to end.
    public var isManaged: Bool
    /// In microseconds.
    public var limit: UInt64
}

/// The clearing of what programs share, and of what still runs.
public struct SharedHoldersPlan: Hashable, Sendable {
    public var epoch: Epoch
    public var began: TurnBegin
    /// The registrations of apps that have a file in the settings.
    public var listed: [Instance]
    /// The connections that wait for this very sign-out: to end their processes as strays would leave them without an answer.
    public var waiting: [Sender]
    /// In microseconds.
    public var limit: UInt64
}

/// What the settings say of an app's containment.
public struct AppData: Hashable, Sendable {
    /// Folders that are emptied.
    public var wipe: [String]
    /// What is left in them.
    public var keep: [String]
    /// A process id says nothing of what the app has started and let go of. If the agent starts the app, it could know
    /// better; of apps that start themselves it cannot.
    public var needsStrongProof: Bool

    public init(wipe: [String] = [], keep: [String] = [], needsStrongProof: Bool = false) {
        self.wipe = wipe
        self.keep = keep
        self.needsStrongProof = needsStrongProof
    }
}

/// The cover of a screen until its worker is back.
public struct LockPlan: Hashable, Sendable {
    public var epoch: Epoch
    public var holder: TurnAccount
    /// When the worker is signed out, CLOCK_BOOTTIME in microseconds.
    public var until: UInt64
    /// There is one that unlocks. Without either of the two only a sign-out shows the screen again.
    public var hasPIN: Bool
    /// The worker can come back by phone.
    public var hasPhone: Bool
}
