public import Vocabulary

/// Everything that must survive the supervisor: what the journal holds, as one value.
///
/// It is changed only by applying records, by the machine as by the journal that reads them back, so the two cannot
/// come to differ.
public struct Ledger: Hashable, Sendable {
    /// The one row about the device itself.
    public struct DeviceRecord: Hashable, Sendable, Codable {
        public var mode: Mode = .shared
        /// The highest epoch that ever began.
        public var epoch: Epoch
        /// The epoch that the journal began with; above 0 when earlier ones are known only by number.
        public var born: Epoch
        public var nextInstance: Instance = 1
        public var busID: String = ""
        public var bootID: String = ""
        /// Who holds the device, and since when (Unix microseconds); nil if no worker does.
        public var turn: TurnRecord?
        public var previous: TurnRecord?
        /// Of the turn that comes next; nil: none has been chosen, or the turns have no users.
        public var nextUser: TurnUser?
        /// Of the turn that began last, or as whom a sign-in has opened its page since: the next one has another.
        public var lastUser: TurnUser?
        /// Words that were refused in the open turn, as far as they are written; its barrier takes them over.
        public var rejections: [Barrier.Rejection]?
    }

    public struct TurnRecord: Hashable, Sendable, Codable {
        public var epoch: Epoch
        public var holder: TurnAccount
        /// Unix time in microseconds: of the sign-in, for the previous account of the end.
        public var when: Int64
        /// Of an open turn; nil where an older version began it.
        public var began: Begin?
        /// Why the journal does not know all of it, such as who took part; nil: it does.
        public var lost: Explanation?
        /// Of an open turn; nil: it has no user of its own.
        public var user: TurnUser?
        /// Nil: its screen is not locked.
        public var lock: Lock?

        public init(
            epoch: Epoch, holder: TurnAccount, when: Int64, began: Begin? = nil, lost: Explanation? = nil,
            user: TurnUser? = nil
        ) {
            self.epoch = epoch
            self.holder = holder
            self.when = when
            self.began = began
            self.lost = lost
            self.user = user
        }
    }

    /// When a turn began: what it has left is told from what was there before by this.
    public struct Begin: Hashable, Sendable, Codable {
        /// Unix time in microseconds.
        public var wall: Int64
        /// CLOCK_BOOTTIME in microseconds, which no correction of the wall clock shifts; nil: an older version did not look.
        public var boottime: UInt64?
        /// The boot that this clock counts from.
        public var bootID: String

        public init(wall: Int64, boottime: UInt64?, bootID: String) {
            self.wall = wall
            self.boottime = boottime
            self.bootID = bootID
        }
    }

    /// The screen of a turn is covered until its worker shows that they are back.
    public struct Lock: Hashable, Sendable, Codable {
        /// CLOCK_BOOTTIME in microseconds.
        public var since: UInt64
        /// When the worker is signed out, on the same clock.
        public var until: UInt64
        /// How often the PIN was wrong.
        public var tries = 0

        public init(since: UInt64, until: UInt64) {
            self.since = since
            self.until = until
        }
    }

    public internal(set) var device: DeviceRecord
    public internal(set) var apps: [AppKey: AppRecord] = [:]
    public internal(set) var registrations: [Instance: Registration] = [:]
    public internal(set) var roster: [AppKey: RosterEntry] = [:]
    public internal(set) var barrier: Barrier?
    /// The receipt of a barrier that ended quarantined, until its release.
    public internal(set) var quarantined: ReceiptRecord?

    // Indices over the above, so that 500 participants do not cost 500 times 500 steps.
    public private(set) var instancesByApp: [AppKey: [Instance]] = [:]
    /// Of the connections that are on the bus.
    private(set) var instancesBySender: [Sender: [Instance]] = [:]
    /// Roster entries that are still pending or being contained.
    private(set) var openEntries = 0

    /// - Parameter epoch: the highest epoch known to have begun, 0 on a new device.
    public init(epoch: Epoch) {
        device = DeviceRecord(epoch: epoch, born: epoch)
    }

    /// Every epoch up to this one has ended.
    public var lastEnded: Epoch { device.turn == nil ? device.epoch : device.epoch.previous }

    public mutating func apply(_ record: Record) {
        switch record {
        case .device(let value): device = value
        case .app(let key, let value): apps[key] = value
        case .registration(let instance, let value): replace(instance, value)
        case .entry(let key, let value): replace(key, value)
        case .barrier(let value): barrier = value
        case .rosterCleared:
            roster = [:]
            openEntries = 0
        case .began, .clearing: break
        case .ended(let receipt): quarantined = receipt.outcome == .quarantined ? receipt : nil
        case .released: quarantined = nil
        case .told(let epoch, let report):
            if quarantined?.epoch == epoch { quarantined?.provider = report }
        }
    }

    private mutating func replace(_ instance: Instance, _ value: Registration?) {
        let old = registrations[instance]
        registrations[instance] = value
        if old?.app != value?.app {
            if let old { Self.remove(instance, from: &instancesByApp[old.app]) }
            if let value { Self.insert(instance, into: &instancesByApp[value.app]) }
        }
        // Another bus gives the same names again, so only who is on the bus is found by name.
        let oldSender = old.flatMap { $0.connected ? $0.sender : nil }
        let newSender = value.flatMap { $0.connected ? $0.sender : nil }
        if oldSender != newSender {
            if let oldSender { Self.remove(instance, from: &instancesBySender[oldSender]) }
            if let newSender { Self.insert(instance, into: &instancesBySender[newSender]) }
        }
    }

    /// In ascending order whatever the order of the records, so that a journal read row by row gives the same.
    private static func insert(_ instance: Instance, into list: inout [Instance]?) {
        var all = list ?? []
        all.insert(instance, at: all.firstIndex { $0 > instance } ?? all.endIndex)
        list = all
    }

    private static func remove(_ instance: Instance, from list: inout [Instance]?) {
        list?.removeAll { $0 == instance }
        if list?.isEmpty == true { list = nil }
    }

    private mutating func replace(_ app: AppKey, _ value: RosterEntry?) {
        if roster[app]?.isOpen == true { openEntries -= 1 }
        roster[app] = value
        if value?.isOpen == true { openEntries += 1 }
    }
}

/// One durable change. Rows are written whole, so that applying a record twice does no harm.
public enum Record: Hashable, Sendable {
    case device(Ledger.DeviceRecord)
    case app(AppKey, AppRecord?)
    case registration(Instance, Registration?)
    case entry(AppKey, RosterEntry?)
    case rosterCleared
    case barrier(Barrier?)
    /// An epoch begins: exactly one for each.
    case began(Epoch, TurnAccount, wall: Int64)
    /// Its barrier begins: exactly one for each.
    case clearing(Epoch, SignOutReason, wall: Int64)
    /// Its barrier ended: exactly one for each.
    case ended(ReceiptRecord)
    /// The quarantine of that epoch was left.
    case released(Epoch, Barrier.Release)
    /// The provider was told after the receipt had been written.
    case told(Epoch, ProviderReport)
}
