import Journal
import Log
import Logging
import Providers
import ReceiptChain
import SessionMachine
import Settings
import Supervisor
import SystemPackage
import Vocabulary

/// Opens the journal as the settings want it, or what stands in for one that cannot be read or written.
///
/// That one is sealed: no worker signs in, so nothing comes about that it would have to keep, and what is known of the turn
/// that cannot be read stays where it is.
struct JournalOpening {
    var journal: any LedgerStore
    var ledger: Ledger
    /// Why the journal cannot be read or written; the device is quarantined then.
    var fault: JournalFault? { (journal as? UnreadableJournal)?.fault }
    /// It is a new one in the place of one that could not be read, which an administrator had put aside.
    var isReset = false

    static func open(
        _ places: DaemonOptions.FolderLayout, settings: Settings, key: ReceiptKey?, clock: Clock, log: Logger
    ) throws(DaemonFault) -> JournalOpening {
        do throws(JournalFault) {
            return try read(places, settings, key, clock, log)
        } catch {
            switch error.kind {
            case .inUse: throw .unavailable("\(error)")
            // Nothing was ever kept there: a path that is wrong. Who reads the message is the one who has just given it.
            case .noFolder: throw .state("\(error)")
            case .inaccessible, .damaged, .foreign, .foreignVersion, .refused, .notWritten: break
            }
            log.tell(.journalFault, .critical, "the journal cannot be read or written", ["error": "\(error)"])
            return JournalOpening(
                journal: UnreadableJournal(
                    fault: error, deviceID: Journal.knownDeviceID(in: places.state.string),
                    predecessor: Journal.lastKnownID(in: places)),
                ledger: Ledger(epoch: Journal.lastKnownEpoch(in: places.state.string)))
        }
    }

    /// Moves a journal that cannot be read aside and begins a new one, which ends what is not known to have ended; one that has
    /// been mended meanwhile is opened.
    ///
    /// - Throws: What keeps it from being read or written, where that is not the journal's own: it may be whole.
    static func reset(
        _ places: DaemonOptions.FolderLayout, settings: Settings, key: ReceiptKey?, clock: Clock, log: Logger
    ) throws(JournalFault) -> JournalOpening {
        do throws(JournalFault) {
            return try read(places, settings, key, clock, log)
        } catch {
            guard error.isOfJournal else { throw error }
        }
        let moved = try Journal.reset(
            in: places.state.string, now: clock.now().wall / 1_000_000, runtime: places.runtime.string)
        for name in moved { log.notice("moved aside", metadata: ["file": "\(name)"]) }
        // It was about a turn whose end the new one begins with.
        try? Marker(in: places.runtime.string).clear()
        var opening = try read(places, settings, key, clock, log, lost: [.resetJournal])
        opening.isReset = true
        return opening
    }

    /// Opens a journal again that has been closed, and that knows nothing of a turn which has begun.
    static func again(
        _ places: DaemonOptions.FolderLayout, settings: Settings, key: ReceiptKey?, clock: Clock, log: Logger,
        knowing mark: EpochMark
    ) throws(JournalFault) -> JournalOpening {
        try read(places, settings, key, clock, log, told: mark)
    }

    private static func read(
        _ places: DaemonOptions.FolderLayout, _ settings: Settings, _ key: ReceiptKey?, _ clock: Clock, _ log: Logger,
        told: EpochMark? = nil, lost: Explanation = [.lostJournal]
    ) throws(JournalFault) -> JournalOpening {
        let opened = try Journal.open(
            in: places.state.string, now: clock.now().wall / 1_000_000, retention: Journal.Retention(settings),
            runtime: places.runtime.string, key: key, told: told, lost: lost)
        for notice in opened.notices { log.warning("\(notice)") }
        var ledger = opened.ledger
        if opened.continuity == .new {
            // Later it is the administrator's call, which the journal remembers.
            var device = ledger.device
            device.mode = settings.mode
            ledger.apply(.device(device))
        }
        return JournalOpening(journal: opened.journal, ledger: ledger)
    }
}

extension Journal.Retention {
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

    /// The id that the journal had, as far as this boot has seen it: the agent goes on for whichever ends that one's turn.
    static func lastKnownID(in places: DaemonOptions.FolderLayout) -> String? {
        let device = StateFolder(path: places.state.string).knownDeviceID
        return BootNote(in: places.runtime.string, of: device)?.journalID
    }

    /// The device's id without the journal; empty when there is none.
    static func knownDeviceID(in path: String) -> String {
        var notices: [String] = []
        return (try? StateFolder(path: path).readOrMakeDeviceID(&notices)) ?? ""
    }
}
