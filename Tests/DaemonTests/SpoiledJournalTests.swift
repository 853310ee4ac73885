import Baton
import DBus
import FolderTesting
import GRDB
import Glibc
import TerminalTesting
import Testing

@Suite("A journal that is not as it was left", .timeLimit(.minutes(3)))
struct SpoiledJournalTests {
    enum Kind: CaseIterable, CustomTestStringConvertible {
        case damaged, truncated, empty, foreign, otherProgram, newerVersion, rowOfNobody

        var testDescription: String { "\(self)" }

        /// What the message says beside the file's name.
        var words: String {
            switch self {
            case .damaged: "damaged"
            case .truncated: "truncated"
            case .empty: "it is empty"
            case .foreign: "not an SQLite file"
            case .otherProgram: "another program"
            case .newerVersion: "a newer Baton wrote it"
            case .rowOfNobody: "cannot be read"
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func `quarantines the device with a clear message, and not a byte of it is overwritten`(_ kind: Kind) async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let file = Self.file(terminal)
        var daemon = try await terminal.startDaemon()
        var peer = try await Peer(terminal)
        let epoch = try await peer.signIn("ana", pin: "1234")
        _ = try await peer.signOut()
        // With a worker on the device, so that a journal which forgot them would show it as free.
        #expect(try await peer.signIn("bo", pin: "5678") == epoch.next)
        daemon.signal(SIGTERM)
        #expect(await daemon.end() == 0)
        try Self.spoil(terminal, kind)
        let spoiled = try #require(bytes(in: file))

        for _ in 1...2 {
            daemon = try await terminal.startDaemon()
            try await daemon.line(containing: "the journal cannot be read")
            peer = try await Peer(terminal)
            let now = try await terminal.device().deviceInformation()
            #expect(now.phase == .quarantined)
            #expect(now.explanation.contains(file) && now.explanation.contains(kind.words), "\(now.explanation)")
            #expect(now.explanation.contains("batonctl reset"))
            // The number of the turn lies beside the journal too.
            #expect(now.epoch == epoch.next)
            #expect(try await peer.refusal { try await peer.signIn("ana", pin: "1234") } == "Quarantined")
            // An app takes part as far as it can, and a sign-out makes nothing better.
            _ = try? await peer.register("org.example.App")
            #expect(try await peer.refusal { _ = try await peer.signOut() } == "Quarantined")
            #expect(try await peer.phase() == "quarantined")
            #expect(bytes(in: file) == spoiled)
            await daemon.kill()
            #expect(bytes(in: file) == spoiled)
        }

        daemon = try await terminal.startDaemon()
        #expect(try await terminal.batonctl("reset").status == 0)
        try await Peer(terminal).waitForPhase(.ready)
        // What was there before is kept, for whoever wants to know.
        let state = "\(terminal.folder)/state/baton"
        let aside = names(in: state).filter { $0.hasSuffix(".aside") }
        #expect(aside.contains { bytes(in: "\(state)/\($0)") == spoiled }, "\(aside)")
        await daemon.kill()
    }

    private static let journal = "state/baton/baton.sqlite"

    private static func file(_ terminal: Terminal) -> String { "\(terminal.folder)/\(journal)" }

    private static func spoil(_ terminal: Terminal, _ kind: Kind) throws {
        let file = file(terminal)
        for suffix in ["-wal", "-shm"] { unlink(file + suffix) }
        func change(_ sql: String) throws {
            let database = try DatabaseQueue(path: file)
            try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE; \(sql)") }
            try database.close()
        }
        switch kind {
        case .damaged:
            var damaged = try #require(bytes(in: file))
            // Behind the first page, which has the header.
            for place in stride(from: 4096, to: damaged.count, by: 3) { damaged[place] ^= 0x5A }
            try terminal.write(damaged, to: journal)
        case .truncated: try terminal.write(Array(try #require(bytes(in: file)).prefix(60)), to: journal)
        case .empty: try terminal.write("", to: journal)
        case .foreign: try terminal.write("a shopping list: bread, milk", to: journal)
        case .otherProgram: try change("PRAGMA application_id = 7")
        case .newerVersion: try change("INSERT INTO grdb_migrations (identifier) VALUES ('99')")
        case .rowOfNobody: try change("UPDATE device SET value = '{\"epoch\":-1}'")
        }
    }
}
