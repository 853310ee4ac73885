import FolderTesting
import Glibc
import Journal
import Testing
import Vocabulary

@testable import SessionMachine

/// A state folder that is put back whole looks right in itself; what this boot has seen of it does not.
@Suite(.timeLimit(.minutes(2))) struct BootNoteTests {
    let folder: TemporaryFolder
    let runtime: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("journal")
        runtime = try TemporaryFolder("runtime")
    }

    private func open() throws -> Journal.Opened {
        try Journal.open(in: folder.path, now: now, runtime: runtime.path)
    }

    private var snapshot: [String: [UInt8]] {
        let others = ["epoch": folder.bytes(of: "epoch") ?? [], "device-id": folder.bytes(of: "device-id") ?? []]
        return folder.database.merging(others) { $1 }
    }

    private func put(back files: [String: [UInt8]]) throws {
        for name in ["baton.sqlite-wal", "baton.sqlite-shm"] { unlink(folder.path + "/" + name) }
        try folder.put(files)
    }

    @Test func `a snapshot of an earlier turn is noticed, and the open one is lost`() async throws {
        try folder.write("1 ended", to: "epoch")
        let opened = try open()
        try await opened.turn(2)
        let copy = snapshot
        try await opened.turn(3)
        try await opened.begin(4)
        opened.journal.close()
        try put(back: copy)
        let back = try open()
        #expect(back.continuity == .older(copy: 2, known: 4))
        #expect(back.ledger.device.turn?.holder == .unknown)
        #expect(back.ledger.device.turn?.lost?.isEmpty == false)
    }

    @Test func `a snapshot of a turn that is over does not give the device back`() async throws {
        try folder.write("1 ended", to: "epoch")
        let opened = try open()
        try await opened.begin(2)
        let copy = snapshot
        try await opened.clear(2)
        try await opened.end(2)
        opened.journal.close()
        try put(back: copy)
        let back = try open()
        #expect(back.continuity == .older(copy: 2, known: 2))
        #expect(back.ledger.device.turn == nil)
    }

    @Test func `a snapshot of this turn lacks the registrations since, so nobody knows its roster`() async throws {
        try folder.write("1 ended", to: "epoch")
        let opened = try open()
        try await opened.begin(2)
        let copy = snapshot
        try await opened.journal.write([.registration(1, Registration(app: mail, sender: ":1.1", pid: 1))])
        let id = opened.journal.journalID
        opened.journal.close()
        try put(back: copy)
        let back = try open()
        #expect(back.continuity == .incomplete)
        #expect(back.ledger.device.turn?.holder == ana)
        #expect(back.ledger.device.turn?.lost?.isEmpty == false)
        #expect(back.ledger.device.nextInstance > Instance(rawValue: 1 << 32))
        #expect(back.journal.journalID != id)
        back.journal.close()
        let again = try open()
        #expect(again.continuity == .same)
        #expect(again.ledger == back.ledger)
    }

    @Test func `a state folder that is lost does not end its turn`() async throws {
        let opened = try open()
        let epoch = Epoch(clamping: now).next
        try await opened.begin(epoch)
        opened.journal.close()
        for name in folder.names { unlink(folder.path + "/" + name) }
        let next = try open()
        #expect(next.continuity == .new)
        #expect(next.ledger.device.turn?.epoch == epoch)
        #expect(next.ledger.device.turn?.lost?.isEmpty == false)
        #expect(next.ledger.device.born == epoch)
    }

    @Test func `another device's journal has nothing to do with it`() async throws {
        let opened = try open()
        try await opened.begin(Epoch(clamping: now).next)
        opened.journal.close()
        let other = try TemporaryFolder("journal")
        try other.write("7 ended", to: "epoch")
        try other.write(String(repeating: "0", count: 32), to: "device-id")
        let next = try Journal.open(in: other.path, now: now, runtime: runtime.path)
        #expect(next.ledger == Ledger(epoch: 7))
        #expect(next.notices == [])
    }

    @Test(arguments: ["", "x", "a\nb\nc\nd\n", "a\nb\n1\n2 begun\nmore\n", "a\nb\n99999999999999999999\n2 begun\n"])
    func `a note that cannot be one says nothing`(text: String) throws {
        try runtime.write(text, to: "journal-seen")
        #expect(try open().ledger == Ledger(epoch: Epoch(clamping: now)))
    }
}
