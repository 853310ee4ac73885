import FolderTesting
import Glibc
import Journal
import Testing
import Vocabulary

@testable import SessionMachine

@Suite(.timeLimit(.minutes(2))) struct EpochTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("journal") }

    func open(_ seconds: Int64 = now) throws -> Journal.Opened { try Journal.open(in: folder.path, now: seconds) }

    func lose(_ names: String...) { for name in names { unlink(folder.path(of: name)) } }

    func loseJournal() { lose("baton.sqlite", "baton.sqlite-wal", "baton.sqlite-shm") }

    @Test func `without any memory the epoch goes on from the time`() async throws {
        let opened = try open()
        #expect(opened.continuity == .new)
        #expect(opened.ledger == Ledger(epoch: Epoch(clamping: now)))
        #expect(opened.ledger.device.born == Epoch(clamping: now))
        #expect(folder.text(of: "epoch") == "\(now) ended\n")
        #expect(folder.has("lock"))
        #expect(!folder.has("baton.sqlite.new"))
    }

    @Test func `a clock before 1970 does not stop it`() throws {
        #expect(try open(-5).ledger.device.epoch == 0)
    }

    @Test func `a lost journal goes on from the epoch file with a new id`() async throws {
        let opened = try open()
        let epoch = Epoch(clamping: now).next
        try await opened.begin(epoch)
        #expect(folder.text(of: "epoch") == "\(epoch) begun\n")
        opened.journal.close()
        loseJournal()
        let next = try open(5)
        #expect(next.continuity == .new)
        #expect(next.ledger.device.epoch == epoch && next.ledger.device.born == epoch)
        // Nobody has ended that turn.
        #expect(next.ledger.device.turn?.epoch == epoch && next.ledger.device.turn?.holder == .unknown)
        #expect(next.ledger.device.turn?.lost?.isEmpty == false)
        #expect(next.notices.count == 1)
        #expect(next.journal.journalID != opened.journal.journalID)
        #expect(next.journal.deviceID == opened.journal.deviceID)
        next.journal.close()
        #expect(try open(6).ledger == next.ledger)
    }

    @Test func `a journal that is lost when nobody is there goes on from the epoch file`() async throws {
        let opened = try open()
        let epoch = Epoch(clamping: now).next
        try await opened.turn(epoch)
        opened.journal.close()
        loseJournal()
        let next = try open(5)
        #expect(next.ledger == Ledger(epoch: epoch))
        #expect(next.notices == [])
    }

    @Test func `when a turn began is known without the journal`() async throws {
        let opened = try open()
        let epoch = Epoch(clamping: now).next
        let began = Ledger.Begin(wall: 17, boottime: 4, bootID: "0aa37962-7f9e")
        var device = opened.ledger.device
        device.epoch = epoch
        device.turn = Ledger.TurnRecord(epoch: epoch, holder: ana, when: 17, began: began)
        try await opened.journal.write([.began(epoch, ana, wall: 17), .device(device)])
        #expect(folder.text(of: "epoch") == "\(epoch) begun 17 4 0aa37962-7f9e\n")
        opened.journal.close()
        loseJournal()
        #expect(try open().ledger.device.turn?.began == began)
    }

    @Test func `a turn in quarantine has not ended`() async throws {
        let opened = try open()
        let epoch = Epoch(clamping: now).next
        try await opened.begin(epoch)
        try await opened.clear(epoch)
        try await opened.end(epoch, .quarantined)
        #expect(folder.text(of: "epoch") == "\(epoch) begun\n")
        try await opened.journal.write([.released(epoch, Barrier.Release(when: 1, by: .retry, explanation: []))])
        #expect(folder.text(of: "epoch") == "\(epoch) ended\n")
    }

    @Test(arguments: [
        "", "many", "-1", "99999999999999999999", "4611686018427387905", "5 6", "5 begun x", "5 begun 1 2",
        "5 begun x 2 b", "5 begun 1 -2 b", "5 begun 1 2 b c", "\u{0}",
    ])
    func `a damaged epoch file counts as lost, which is said`(text: String) throws {
        try folder.write(text, to: "epoch")
        let opened = try open()
        #expect(opened.ledger.device.epoch == Epoch(clamping: now))
        #expect(opened.notices.count == 1)
        opened.journal.close()
        try folder.write(text, to: "epoch")
        let again = try open(99)
        #expect(again.ledger.device.epoch == Epoch(clamping: now))
        #expect(folder.text(of: "epoch") == "\(now) ended\n")
    }

    @Test func `the epoch is on the disk before it is journalled`() async throws {
        try folder.write("4", to: "epoch")
        // The second record is refused, so this shows what is on the disk by then.
        let opened = try open()
        try await opened.turn(5)
        let journal = opened.journal
        #expect(
            try await fault { try await journal.write([.began(6, ana, wall: 1), .clearing(9, .user, wall: 1)]) }
                == .refused)
        #expect(folder.text(of: "epoch") == "6 reserved\n")
        journal.close()
        // The number was never given to anybody, so the journal is no older copy.
        let next = try open()
        #expect(next.continuity == .same)
        #expect(next.ledger.device.epoch == 5)
        #expect(next.journal.journalID == journal.journalID)
        try await next.turn(6)
        #expect(folder.text(of: "epoch") == "6 ended\n")
    }

    @Test func `nothing begins when the epoch cannot be put on the disk`() async throws {
        try folder.write("4", to: "epoch")
        let opened = try open()
        mkdir(folder.path + "/epoch.new", 0o700)
        #expect(try await fault { try await opened.begin(5) } == .notWritten)
        rmdir(folder.path + "/epoch.new")
        opened.journal.close()
        #expect(try open().ledger.device.epoch == 4)
    }

    @Test func `an older copy's turn is over, the open one is lost, and its apps owe what nobody saw`() async throws {
        try folder.write("1", to: "epoch")
        var opened = try open()
        let id = opened.journal.journalID
        try await opened.begin(2)
        try await opened.journal.write([
            .registration(1, Registration(app: mail, sender: ":1.1", pid: 1, proven: true)),
            .entry(mail, RosterEntry(listed: true, proven: true)),
            .entry(notes, RosterEntry(listed: false, proven: false)),
            .app(notes, AppRecord(clearedThrough: 0, owed: 1, owedSince: 1)),
        ])
        opened.journal.close()
        let copy = folder.database
        opened = try open()
        try await opened.clear(2)
        try await opened.end(2)
        try await opened.turn(3)
        try await opened.begin(4)
        opened.journal.close()
        loseJournal()
        try folder.put(copy)

        let back = try open()
        #expect(back.continuity == .older(copy: 2, known: 4))
        #expect(back.notices.count == 1)
        #expect(back.journal.journalID != id)
        let ledger = back.ledger
        #expect(ledger.device.epoch == 4)
        #expect(ledger.device.born == 4)
        #expect(ledger.device.turn?.epoch == 4 && ledger.device.turn?.holder == .unknown)
        #expect(ledger.device.turn?.lost?.isEmpty == false)
        #expect(ledger.device.previous == nil)
        #expect(ledger.device.nextInstance > Instance(rawValue: 1 << 32))
        #expect(ledger.roster.isEmpty && ledger.barrier == nil)
        #expect(ledger.apps[mail] == AppRecord(clearedThrough: 0, owed: 4, owedSince: 2, debtNeedsProof: true))
        #expect(ledger.apps[notes] == AppRecord(clearedThrough: 0, owed: 4, owedSince: 1))
        #expect(ledger.registrations[1]?.mustClear == 4)
        back.journal.close()
        let again = try open()
        #expect(again.continuity == .same)
        #expect(again.ledger == ledger)
        #expect(again.journal.journalID == back.journal.journalID)
        try await again.turn(5)
    }

    @Test func `a copy of a turn that has ended since does not give the device back`() async throws {
        try folder.write("1", to: "epoch")
        let opened = try open()
        try await opened.begin(2)
        let copy = folder.database
        try await opened.clear(2)
        try await opened.end(2)
        opened.journal.close()
        loseJournal()
        try folder.put(copy)
        let back = try open()
        #expect(back.continuity == .older(copy: 2, known: 2))
        #expect(back.ledger.device.turn == nil)
        try await back.turn(3)
    }

    @Test func `a copy that was quarantined does not bring the quarantine back`() async throws {
        try folder.write("1", to: "epoch")
        let opened = try open()
        try await opened.begin(2)
        try await opened.clear(2)
        try await opened.end(2, .quarantined)
        let copy = folder.database
        try await opened.journal.write([.released(2, Barrier.Release(when: 1, by: .retry, explanation: []))])
        try await opened.turn(3)
        opened.journal.close()
        loseJournal()
        try folder.put(copy)
        let back = try open()
        #expect(back.continuity == .older(copy: 2, known: 3))
        #expect(back.ledger.quarantined == nil)
        #expect(try await back.journal.receipt(2)?.release?.by == .administrator)
    }

    @Test func `after a reset the epoch is higher and the journal another, the device the same`() async throws {
        var opened = try open()
        let (journal, device) = (opened.journal.journalID, opened.journal.deviceID)
        try await opened.turn(Epoch(clamping: now).next)
        opened.journal.close()
        let moved = try Journal.reset(in: folder.path, now: 77)
        #expect(moved == [folder.path + "/baton.sqlite.77.aside"])
        #expect(!folder.has("baton.sqlite") && folder.has("baton.sqlite.77.aside"))
        opened = try open(5)
        #expect(opened.continuity == .new)
        #expect(opened.ledger == Ledger(epoch: Epoch(clamping: now).advanced(by: 2)))
        #expect(opened.journal.journalID != journal)
        #expect(opened.journal.deviceID == device)
        opened.journal.close()
        // A second one in the same second takes nothing from the first.
        #expect(try Journal.reset(in: folder.path, now: 77) == [folder.path + "/baton.sqlite.77.1.aside"])
        #expect(try open(5).ledger.device.epoch == Epoch(clamping: now).advanced(by: 3))
    }

    @Test func `a reset finds the epoch in the journal when its file is lost`() async throws {
        let opened = try open()
        try await opened.turn(Epoch(clamping: now).next)
        let crashed = folder.database
        opened.journal.close()
        try folder.put(crashed)
        lose("epoch")
        let moved = try Journal.reset(in: folder.path, now: 77)
        #expect(
            Array(moved.prefix(2)) == ["/baton.sqlite.77.aside", "/baton.sqlite.77.aside-wal"].map { folder.path + $0 })
        // Whether that turn has ended stood in the file.
        let ledger = try open(5).ledger
        #expect(ledger.device.epoch == Epoch(clamping: now).next)
        #expect(ledger.device.turn?.lost?.isEmpty == false)
    }

    @Test func `a reset leaves a turn to be ended that is not known to have ended`() async throws {
        let runtime = try TemporaryFolder("runtime")
        func openNoting() throws -> Journal.Opened {
            try Journal.open(in: folder.path, now: now, runtime: runtime.path)
        }
        let epoch = Epoch(clamping: now).next
        var opened = try openNoting()
        try await opened.begin(epoch)
        for isFileLost in [false, true] {
            opened.journal.close()
            if isFileLost { lose("epoch") }
            try folder.write("garbage", to: "baton.sqlite")
            lose("baton.sqlite-wal", "baton.sqlite-shm")
            _ = try Journal.reset(in: folder.path, now: 77, runtime: runtime.path)
            opened = try openNoting()
            #expect(opened.ledger.device.epoch == epoch)
            #expect(opened.ledger.device.turn?.holder == .unknown)
            #expect(opened.ledger.device.turn?.lost?.isEmpty == false)
        }
        #expect(folder.text(of: "epoch") == "\(epoch) begun\n")
    }

    @Test func `a reset works on what nobody can read`() throws {
        try folder.write("garbage", to: "baton.sqlite")
        try folder.write("more", to: "baton.sqlite-wal")
        try folder.write("garbage", to: "epoch")
        _ = try Journal.reset(in: folder.path, now: 77)
        #expect(folder.text(of: "baton.sqlite.77.aside") == "garbage")
        #expect(folder.text(of: "baton.sqlite.77.aside-wal") == "more")
        // Nothing is known at all, so somebody may be there.
        let ledger = try open().ledger
        #expect(ledger.device.epoch == 78)
        #expect(ledger.device.turn?.holder == .unknown)
        #expect(try Journal.reset(in: folder.path + "/none", now: 1) == [])
    }

    @Test func `a log without its database is put aside`() throws {
        try folder.write("orphan", to: "baton.sqlite-wal")
        let opened = try open()
        #expect(opened.notices.count == 1)
        #expect(folder.text(of: "baton.sqlite.\(now).aside-wal") == "orphan")
    }

    @Test func `a damaged device id is replaced, which is said`() throws {
        try folder.write("nonsense", to: "device-id")
        let opened = try open()
        #expect(opened.notices.count == 1)
        #expect(opened.journal.deviceID.count == 32)
    }
}
