import FolderTesting
import Glibc
import Journal
import Testing
import Vocabulary

@testable import SessionMachine

@Suite(.timeLimit(.minutes(3))) struct CrashTests {
    /// What the child writes in its transaction of that number.
    static func records(_ number: Int) -> [Record] {
        (0..<20).map {
            .app(AppKey(uid: UInt32($0), id: "app"), AppRecord(clearedThrough: Epoch(rawValue: UInt64(number))))
        }
    }

    @Test(arguments: [3, 17, 40])
    func `a writer killed in the middle leaves whole writes and all that were confirmed`(victim: Int) async throws {
        let folder = try TemporaryFolder("journal")
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, victim = victim as Int] in
            let opened = try Journal.open(in: path, now: 1)
            let confirmed = open(path + "/confirmed", O_WRONLY | O_CREAT | O_APPEND, 0o600)
            for number in 1... {
                if number == victim {
                    // At some moment of this write or of the next ones.
                    let killer = Task.detached { [victim] in
                        try await Task.sleep(for: .microseconds(victim * 53))
                        kill(getpid(), SIGKILL)
                    }
                    _ = killer
                }
                try await opened.journal.write(Self.records(number))
                _ = write(confirmed, "x", 1)
            }
        }
        let confirmed = folder.bytes(of: "confirmed")?.count ?? 0
        #expect(confirmed >= victim - 1)
        let opened = try Journal.open(in: path, now: 1)
        let values = Set(opened.ledger.apps.values.map(\.clearedThrough))
        #expect(values == [Epoch(rawValue: UInt64(confirmed))] || values == [Epoch(rawValue: UInt64(confirmed + 1))])
        #expect(opened.continuity == .same)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount a small disk"))
    func `a full disk is an error, and the journal is fine afterwards`() async throws {
        let folder = try TemporaryFolder("journal")
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=512k") == 0 else {
            print("skipped: no disk can be mounted here: \(String(cString: strerror(errno)))")
            return
        }
        defer {
            for name in folder.names { unlink(folder.path + "/" + name) }
            umount2(folder.path, CInt(MNT_DETACH))
        }
        try folder.write("0", to: "epoch")
        let opened = try Journal.open(in: folder.path, now: now)
        try await opened.turn(1)
        // It has as much as there is room for.
        #expect(throws: FolderError.self) { try folder.write([UInt8](repeating: 1, count: 1 << 20), to: "ballast") }
        var written = 0
        var failure: JournalFault?
        while failure == nil, written < 1000 {
            do throws(JournalFault) {
                let details = String(repeating: "x", count: 4096)
                try await opened.journal.write([.app(AppKey(uid: UInt32(written), id: details), AppRecord())])
                written += 1
            } catch {
                failure = error
            }
        }
        #expect(failure?.kind == .notWritten, "\(failure?.description ?? "")")
        #expect(try await fault { try await opened.begin(2) } == .notWritten)
        unlink(folder.path + "/ballast")
        var ledger = opened.ledger
        var device = ledger.device
        device.epoch = 1
        ledger.apply(.device(device))
        ledger.apply(.app(mail, AppRecord(clearedThrough: 1)))
        try await opened.journal.save(ledger)
        try await opened.journal.write([.app(notes, AppRecord())])
        opened.journal.close()
        let next = try Journal.open(in: folder.path, now: now)
        #expect(next.continuity == .same)
        #expect(Set(next.ledger.apps.keys) == [mail, notes])
        next.journal.close()
    }
}
