import Baton
import BusTesting
import DBus
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
        let file = "\(terminal.folder)/state/baton/baton.sqlite"
        var daemon = try await terminal.startDaemon()
        var peer = try await Peer(terminal)
        let epoch = try await peer.signIn("ana", pin: "1234")
        _ = try await peer.signOut()
        // With a worker on the device, so that a journal which forgot them would show it as free.
        #expect(try await peer.signIn("bo", pin: "5678") == epoch.next)
        daemon.signal(SIGTERM)
        #expect(await daemon.end() == 0)
        try Self.spoil(file, kind)
        let spoiled = try #require(Self.bytes(file))

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
            #expect(Self.bytes(file) == spoiled)
            await daemon.kill()
            #expect(Self.bytes(file) == spoiled)
        }

        daemon = try await terminal.startDaemon()
        #expect(try await terminal.batonctl("reset").status == 0)
        try await Peer(terminal).waitForPhase(.ready)
        // What was there before is kept, for whoever wants to know.
        let aside = Self.asides("\(terminal.folder)/state/baton")
        #expect(aside.contains { Self.bytes($0) == spoiled }, "\(aside)")
        await daemon.kill()
    }

    private static func spoil(_ file: String, _ kind: Kind) throws {
        for suffix in ["-wal", "-shm"] { unlink(file + suffix) }
        func change(_ sql: String) throws {
            let database = try DatabaseQueue(path: file)
            try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE; \(sql)") }
            try database.close()
        }
        switch kind {
        case .damaged:
            var bytes = try #require(Self.bytes(file))
            // Behind the first page, which has the header.
            for place in stride(from: 4096, to: bytes.count, by: 3) { bytes[place] ^= 0x5A }
            try write(bytes, to: file)
        case .truncated: try write(Array(try #require(Self.bytes(file)).prefix(60)), to: file)
        case .empty: try write([], to: file)
        case .foreign: try write(Array("a shopping list: bread, milk".utf8), to: file)
        case .otherProgram: try change("PRAGMA application_id = 7")
        case .newerVersion: try change("INSERT INTO grdb_migrations (identifier) VALUES ('99')")
        case .rowOfNobody: try change("UPDATE device SET value = '{\"epoch\":-1}'")
        }
    }

    private static func bytes(_ file: String) -> [UInt8]? {
        guard let stream = fopen(file, "r") else { return nil }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(stream), byte >= 0 { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return bytes
    }

    /// The files that a reset has put aside.
    private static func asides(_ folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names.filter { $0.hasSuffix(".aside") }.map { "\(folder)/\($0)" }
    }

    private static func write(_ bytes: [UInt8], to file: String) throws {
        let stream = try #require(fopen(file, "w"))
        defer { fclose(stream) }
        try #require(fwrite(bytes, 1, bytes.count, stream) == bytes.count)
    }
}
