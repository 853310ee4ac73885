import FolderTesting
import Glibc
import Journal
import Testing
import Vocabulary

@testable import SessionMachine

@Suite(.timeLimit(.minutes(2))) struct OnceTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("journal") }

    func open() throws -> Journal.Opened {
        try folder.write("0", to: "epoch")
        return try Journal.open(in: folder.path, now: now)
    }

    @Test func `an epoch begins once and never below an earlier one`() async throws {
        let opened = try open()
        try await opened.begin(5)
        #expect(try await fault { try await opened.begin(5) } == .refused)
        #expect(try await fault { try await opened.begin(4) } == .refused)
        #expect(try await fault { try await opened.begin(Epoch(rawValue: .max)) } == .refused)
        try await opened.begin(6)
    }

    @Test func `a sign-out begins once and only for an epoch that began`() async throws {
        let opened = try open()
        try await opened.begin(1)
        try await opened.clear(1)
        #expect(try await fault { try await opened.clear(1) } == .refused)
        #expect(try await fault { try await opened.clear(2) } == .refused)
    }

    @Test func `a sign-out ends once and only after it began`() async throws {
        let opened = try open()
        try await opened.begin(1)
        #expect(try await fault { try await opened.end(1) } == .refused)
        try await opened.clear(1)
        try await opened.end(1)
        #expect(try await fault { try await opened.end(1, .owed) } == .refused)
        #expect(try await opened.journal.receipt(1)?.outcome == .cleared)
    }

    @Test func `a refused record takes its whole transaction with it`() async throws {
        let opened = try open()
        let journal = opened.journal
        let records: [Record] = [.app(mail, AppRecord(clearedThrough: 3)), .clearing(9, .user, wall: 1)]
        #expect(try await fault { try await journal.write(records) } == .refused)
        #expect(
            try await fault {
                try await journal.write([
                    .registration(Instance(rawValue: .max), Registration(app: mail, sender: "", pid: 1))
                ])
            }
                == .refused)
        #expect(
            try await fault { try await journal.write([.app(AppKey(uid: 1, id: "a\u{0}b"), AppRecord())]) } == .refused)
        journal.close()
        #expect(try Journal.open(in: folder.path, now: now).ledger == opened.ledger)
    }

    @Test func `receipts above the limit go, the oldest first`() async throws {
        let opened = try open()
        opened.journal.change(Journal.Retention(receipts: 3, keep: nil))
        for epoch in 1...6 as ClosedRange<Epoch> { try await opened.turn(epoch) }
        #expect(try await opened.journal.receipts(newest: 9).receipts.map(\.epoch) == [6, 5, 4])
        // That an epoch is not kept any more does not make it new.
        #expect(try await fault { try await opened.begin(2) } == .refused)
        #expect(try await fault { try await opened.end(2) } == .refused)
    }

    @Test func `receipts that are too old go, an open quarantine's does not`() async throws {
        let opened = try open()
        opened.journal.change(Journal.Retention(receipts: 0, keep: 100))
        try await opened.turn(1, wall: 1000)
        try await opened.begin(2)
        try await opened.clear(2)
        try await opened.end(2, .quarantined, wall: 2000)
        #expect(try await opened.journal.receipts(newest: 9).receipts.map(\.epoch) == [2])
        opened.journal.close()
        #expect(try Journal.open(in: folder.path, now: now).ledger.quarantined?.epoch == 2)
    }

    @Test func `a second supervisor is kept off the state folder`() async throws {
        let first = try open()
        let path = folder.path
        #expect(try await fault { _ = try Journal.open(in: path, now: now) } == .inUse)
        #expect(try await fault { _ = try Journal.reset(in: path, now: now) } == .inUse)
        try await first.turn(1)
        first.journal.close()
        #expect(try Journal.open(in: path, now: now).ledger.device.epoch == 1)
    }

    @Test func `only the owner can read the files`() async throws {
        umask(0o022)
        let path = folder.path + "/deep/state"
        let opened = try Journal.open(in: path, now: now)
        try await opened.begin(Epoch(clamping: now).next)
        for name in ["baton.sqlite", "baton.sqlite-wal", "baton.sqlite-shm", "epoch", "device-id", "turn-key", "lock"] {
            #expect(folder.mode(of: "deep/state/" + name) == 0o600, "\(name)")
        }
        #expect(folder.mode(of: "deep/state") == 0o700)
        #expect(folder.mode(of: "deep") == 0o700)
        opened.journal.close()
    }

    @Test func `a marker is there until it is cleared`() throws {
        let marker = Marker(in: folder.path)
        #expect(marker.meaning == nil)
        try marker.set()
        try marker.set()
        #expect(marker.meaning == .failed)
        try marker.clear()
        try marker.clear()
        #expect(marker.meaning == nil)
        #expect(throws: JournalFault.self) { try Marker(in: folder.path + "/none").set() }
        try marker.set(.asked)
        try marker.set(.asked)
        #expect(marker.meaning == .asked)
        // The one who failed counts, whoever asks afterwards.
        try marker.set(.failed)
        try marker.set(.asked)
        #expect(marker.meaning == .failed)
    }
}
