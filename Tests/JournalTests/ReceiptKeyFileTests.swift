import FolderTesting
import Glibc
import Journal
import ReceiptChain
import Testing
import Vocabulary

@testable import SessionMachine

@Suite(.timeLimit(.minutes(1))) struct ReceiptKeyFileTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("journal")
        try folder.write("0", to: "epoch")
    }

    @Test func `a key is made at the first start, for its owner alone, and is the same from then on`() throws {
        let opened = try Journal.open(in: folder.path, now: now)
        #expect(folder.mode(of: "receipts-key") == 0o600)
        #expect(folder.text(of: "receipts-key")?.hasPrefix("-----BEGIN PRIVATE KEY-----\n") == true)
        let key = opened.journal.receiptKey
        opened.journal.close()
        let again = try Journal.open(in: folder.path, now: now)
        #expect(again.journal.receiptKey == key && again.notices == [])
    }

    @Test func `a key that is handed over is used, and not written anywhere`() async throws {
        let key = ReceiptKey()
        let opened = try Journal.open(in: folder.path, now: now, key: key)
        try await opened.turn(1)
        #expect(opened.journal.receiptKey == key.publicKey)
        #expect(!folder.has("receipts-key"))
        #expect(try await opened.journal.verified([key.publicKey]).entries == 1)
    }

    @Test func `another key is said, and both verify the chain`() async throws {
        var opened = try Journal.open(in: folder.path, now: now)
        try await opened.turn(1)
        let first = try #require(opened.journal.receiptKey)
        opened.journal.close()
        let second = ReceiptKey()
        opened = try Journal.open(in: folder.path, now: now, key: second)
        #expect(opened.notices.count == 1 && opened.notices[0].contains(second.publicKey.id))
        try await opened.turn(2)
        #expect(try await opened.journal.fault() == .otherKey(first.id))
        #expect(try await opened.journal.verified([first, second.publicKey]).entries == 2)
    }

    @Test(arguments: ["", "garbage", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func `a file that holds no key is put aside, which is said`(text: String) async throws {
        var opened = try Journal.open(in: folder.path, now: now)
        try await opened.turn(1)
        opened.journal.close()
        try folder.write(text, to: "receipts-key", mode: 0o600)
        opened = try Journal.open(in: folder.path, now: now)
        #expect(opened.notices.count == 2, "\(opened.notices)")
        #expect(folder.text(of: "receipts-key.unusable") == text)
        try await opened.turn(2)
        #expect(opened.journal.receiptHead?.sequence == 2)
    }

    @Test func `a key that other users may read is said`() throws {
        try Journal.open(in: folder.path, now: now).journal.close()
        chmod(folder.path(of: "receipts-key"), 0o644)
        #expect(try Journal.open(in: folder.path, now: now).notices.count == 1)
    }

    @Test func `a link in the key's place is not followed`() throws {
        try Journal.open(in: folder.path, now: now).journal.close()
        rename(folder.path(of: "receipts-key"), folder.path(of: "elsewhere"))
        try folder.link("receipts-key", to: folder.path(of: "elsewhere"))
        #expect(throws: JournalFault.self) { try Journal.open(in: folder.path, now: now) }
    }
}
