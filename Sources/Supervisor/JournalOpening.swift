internal import Logging
internal import Supervision
internal import SystemPackage

/// Opens the journal as the settings want it, or what stands in for one that cannot be read or written.
///
/// That one is sealed: nobody signs in, so nothing comes about that it would have to keep, and the next start finds the same.
struct JournalOpening {
    var journal: any SessionJournal
    var ledger: Ledger
    /// Why the journal cannot be read; the device is quarantined then.
    var fault: String?

    static func open(
        _ places: DaemonOptions.Places, settings: Settings, clock: Clock, log: Logger
    ) throws(DaemonFault) -> JournalOpening {
        do throws(JournalFault) {
            return try read(places, settings, clock, log)
        } catch {
            switch error.kind {
            case .inUse, .mended: throw .unavailable("\(error)")
            // Nothing was ever kept there: a path that is wrong. Who reads the message is the one who has just given it.
            case .noFolder: throw .state("\(error)")
            case .inaccessible, .damaged, .foreign, .foreignVersion, .refused, .notWritten: break
            }
            log.tell(.journalFault, .critical, "the journal cannot be read", ["error": "\(error)"])
            return JournalOpening(
                journal: UnreadableJournal(deviceID: Journal.knownDeviceID(in: places.state.string)),
                ledger: Ledger(epoch: Journal.lastKnownEpoch(in: places.state.string)),
                fault: "\(error)")
        }
    }

    /// Moves the journal aside and begins a new one with a higher epoch.
    ///
    /// - Throws: `mended` when it can be read and written by now: who has seen to that does not want to lose it.
    static func reset(
        _ places: DaemonOptions.Places, settings: Settings, clock: Clock, log: Logger
    ) throws(JournalFault) -> JournalOpening {
        if let mended = try? read(places, settings, clock, log) {
            mended.journal.close()
            throw JournalFault(.mended, places.state.string, "the journal can be read now")
        }
        for name in try Journal.reset(in: places.state.string, now: clock.now().wall / 1_000_000) {
            log.notice("moved aside", metadata: ["file": "\(name)"])
        }
        return try read(places, settings, clock, log)
    }

    private static func read(
        _ places: DaemonOptions.Places, _ settings: Settings, _ clock: Clock, _ log: Logger
    ) throws(JournalFault) -> JournalOpening {
        let opened = try Journal.open(
            in: places.state.string, now: clock.now().wall / 1_000_000, limits: Journal.Limits(settings))
        for notice in opened.notices { log.warning("\(notice)") }
        var ledger = opened.ledger
        if opened.continuity == .new {
            // Later it is the administrator's call, which the journal remembers.
            var device = ledger.device
            device.mode = settings.mode == .shared ? .shared : .personal
            ledger.apply(.device(device))
        }
        return JournalOpening(journal: opened.journal, ledger: ledger)
    }
}

extension Journal.Limits {
    init(_ settings: Settings) {
        self.init(receipts: settings.limits.receipts, keep: Int64(clamping: settings.keepReceipts.microseconds))
    }
}

extension Journal {
    /// What can be known of the epoch without the journal.
    static func lastKnownEpoch(in path: String) -> Epoch {
        var notices: [String] = []
        return (try? EpochMark.read(StateFolder(path: path), &notices))?.epoch ?? 0
    }

    /// The device's id without the journal; empty when there is none.
    static func knownDeviceID(in path: String) -> String {
        var notices: [String] = []
        return (try? StateFolder(path: path).readOrMakeDeviceID(&notices)) ?? ""
    }
}
