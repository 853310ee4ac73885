import Testing
import Vocabulary

@testable import ReceiptChain

@Suite struct ChainVerifierTests {
    @Test func `a chain is verified with the public key alone, and says what was not looked at`() throws {
        var chain = try SampleChain(4)
        let findings = try chain.verified()
        #expect(findings.entries == 4 && findings.first == 1 && findings.head == chain.head)
        #expect(findings.journals == [SampleChain.journal] && findings.keys == [chain.key.publicKey.id])
        #expect(findings.end == .unchecked)
        let published = chain.head
        #expect(try chain.verified(published: published).end == .reached(after: 0))
        try chain.add(200)
        #expect(try chain.verified(published: published).end == .reached(after: 1))
        // Older entries are gone, which no entry that is left can tell from entries that were never asked for.
        chain.rows.removeFirst(2)
        #expect(try chain.verified(published: published).first == 3)
    }

    @Test func `each change of an entry is found`() throws {
        let chain = try SampleChain(3)
        func changed(_ change: (inout ChainEntry) -> Void) -> ChainFault.Kind? {
            var copy = chain
            change(&copy.rows[1].entry)
            let fault = copy.fault()
            #expect(fault?.place == 2)
            return fault?.kind
        }
        #expect(changed { $0.epoch = 7 } == .changed)
        #expect(changed { $0.time += 1 } == .changed)
        #expect(changed { $0.kind = "released" } == .changed)
        #expect(changed { $0.sequence = 3 } == .changed)
        #expect(changed { $0.journalID = String(repeating: "0", count: 32) } == .changed)
        #expect(changed { $0.receiptHash = ChainEntry.beginning } == .changed)
        #expect(changed { $0.previous = ChainEntry.beginning } == .changed)
        #expect(changed { $0.signature = chain.rows[0].entry.signature } == .changed)
        let other = ReceiptKey().publicKey
        #expect(changed { $0.keyID = other.id } == .otherKey(other.id))
    }

    @Test(arguments: [
        "", "x", "0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef0123456789abcde\n",
        "0123456789abcdef0123456789abcdef0",
    ])
    func `a journal's id that could be taken for more is refused before it is signed or looked at`(id: String) throws {
        var chain = try SampleChain(1)
        try chain.add(5, journal: id)
        #expect(chain.fault()?.kind == .malformed)
    }

    @Test func `values of another form are refused`() throws {
        let chain = try SampleChain(1)
        func isRefused(_ change: (inout ChainEntry) -> Void) -> Bool {
            var copy = chain
            change(&copy.rows[0].entry)
            return copy.fault()?.kind == .malformed
        }
        #expect(isRefused { $0.sequence = 0 } && isRefused { $0.sequence = .max })
        #expect(isRefused { $0.epoch = Epoch(rawValue: .max) })
        #expect(isRefused { $0.kind = "" } && isRefused { $0.kind = "ended\ntime 1" })
        #expect(isRefused { $0.receiptHash.removeLast() } && isRefused { $0.previous += "0" })
        #expect(isRefused { $0.signature = "" } && isRefused { $0.signature.removeLast() })
        // The same bytes in another text.
        #expect(isRefused { $0.signature = $0.signature.replacing("==", with: "=\n") })
    }

    @Test func `a receipt that was changed or deleted is found`() throws {
        var chain = try SampleChain(3)
        chain.rows[1].receipt? += " "
        #expect(chain.fault() == ChainFault(.receiptChanged, place: 2, sequence: 2, epoch: 101))
        chain.rows[1].receipt = nil
        #expect(chain.fault() == ChainFault(.receiptMissing, place: 2, sequence: 2, epoch: 101))
    }

    @Test func `a receipt may be gone once a signed entry says that the device no longer keeps it`() throws {
        var chain = try SampleChain(3)
        chain.rows[1].receipt = nil
        try chain.add(101, .pruned)
        #expect(try chain.verified().pruned == 1)
        // Of another turn it says nothing.
        chain.rows[0].receipt = nil
        #expect(chain.fault()?.kind == .receiptMissing)
    }

    @Test func `deleted, reordered, repeated and inserted entries are found`() throws {
        let chain = try SampleChain(5)
        var copy = chain
        copy.rows.removeSubrange(1...2)
        #expect(copy.fault() == ChainFault(.missing(from: 2), place: 2, sequence: 4, epoch: 103))
        copy = chain
        copy.rows.swapAt(1, 2)
        #expect(copy.fault()?.kind == .missing(from: 2))
        copy = chain
        copy.rows.insert(chain.rows[0], at: 3)
        #expect(copy.fault()?.kind == .outOfOrder(after: 3))
        // Of a chain of the same key, as a copy of the state folder makes one.
        let fork = try SampleChain(5, key: chain.key)
        copy = chain
        copy.rows[2] = try #require(try SampleChain(2, key: chain.key).adding(300))
        #expect(copy.fault() == ChainFault(.notFollowing, place: 4, sequence: 4, epoch: 103))
        #expect(fork.fault() == nil)
    }

    @Test func `what was cut off or replaced is found by the published head`() throws {
        let chain = try SampleChain(5)
        let published = try #require(chain.head)
        var copy = chain
        copy.rows.removeLast(2)
        #expect(copy.fault() == nil)
        #expect(
            copy.fault(published: published)
                == ChainFault(.cutOff(head: 5), place: 3, sequence: 3, epoch: 102))
        try copy.add(400)
        try copy.add(401)
        #expect(copy.fault(published: published)?.kind == .otherHead)
        copy.rows = []
        #expect(copy.fault(published: published)?.kind == .cutOff(head: 5) && copy.fault()?.kind == .empty)
        copy.rows = Array(chain.rows.dropFirst(3))
        #expect(copy.fault(published: chain.rows[1].entry.head)?.kind == .begunAfterHead(2))
    }

    @Test func `a chain that another key has signed again is found`() throws {
        let (chain, forged) = (try SampleChain(3), try SampleChain(3))
        #expect(forged.fault([chain.key.publicKey])?.kind == .otherKey(forged.key.publicKey.id))
        // Signed with its own key under the name of the right one.
        var copy = chain
        var entry = try forged.key.signed(chain.rows[1].entry)
        entry.keyID = chain.key.publicKey.id
        copy.rows[1].entry = entry
        #expect(copy.fault()?.kind == .changed)
    }

    @Test func `a chain goes on with a new key where both are given`() throws {
        let first = try SampleChain(2)
        var second = try SampleChain(0)
        second.rows = first.rows
        try second.add(500)
        #expect(second.fault()?.kind == .otherKey(first.key.publicKey.id))
        #expect(try second.verified([first.key.publicKey, second.key.publicKey]).keys.count == 2)
    }

    @Test func `receipts that are older than the chain, and other journals, are named`() throws {
        var chain = try SampleChain(0)
        try chain.add(1, .found)
        try chain.add(2)
        let other = String(repeating: "a", count: 32)
        try chain.add(3, journal: other)
        let findings = try chain.verified()
        #expect(findings.found == 1 && findings.journals == [SampleChain.journal, other])
    }

    @Test func `a first entry that claims to follow another is found`() throws {
        var chain = try SampleChain(0)
        try chain.add(1, previous: String(repeating: "1", count: 64))
        #expect(chain.fault()?.kind == .notFollowing)
    }

    @Test(arguments: ["", "1", ":", "0:", "1:ab", "01:\(ChainEntry.beginning)", "-1:\(ChainEntry.beginning)"])
    func `a head of another form is none`(text: String) { #expect(ChainHead(text: text) == nil) }

    @Test func `a head is what its text says`() throws {
        let head = try #require(try SampleChain(2).head)
        #expect(ChainHead(text: head.text) == head)
    }
}

extension SampleChain {
    /// The last row after another one was added.
    fileprivate func adding(_ epoch: Epoch) throws -> (entry: ChainEntry, receipt: String?)? {
        var copy = self
        try copy.add(epoch)
        return copy.rows.last
    }
}
