import BusTesting
import FolderTesting
import ReceiptChain
import Secrets
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReceiptKeyTests {
    /// RFC 8410, sections 10.1 and 10.3.
    private static let example = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
        -----END PRIVATE KEY-----
        """
    private static let publicExample = "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="

    @Test func `the key of RFC 8410 is read, and has its public key`() throws {
        let key = try #require(ReceiptKey(Secret(text: Self.example)))
        #expect(key.publicKey.base64 == Self.publicExample)
        #expect(key.publicKey == ReceiptPublicKey(text: Self.publicExample))
        #expect(key.publicKey == ReceiptPublicKey(text: key.publicKey.pem))
        #expect(key.pem.text == Self.example + "\n")
    }

    @Test func `a key is never shown`() throws {
        let key = try #require(ReceiptKey(Secret(text: Self.example)))
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(!text.contains("1O5y") && !text.contains("212"))
        }
    }

    @Test(arguments: [
        "", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----",
        example.replacing("Ed", with: "E"), example.replacing("MC4CAQ", with: "MC4CAg"), publicExample,
    ])
    func `what is no key is refused`(text: String) { #expect(ReceiptKey(Secret(text: text)) == nil) }

    @Test(arguments: ["", "AAAA", example, publicExample.replacing("MCow", with: "MCox"), publicExample + "AAAA"])
    func `what is no public key is refused`(text: String) { #expect(ReceiptPublicKey(text: text) == nil) }

    // MARK: With openssl

    private func openssl(_ arguments: String...) async throws -> (output: String, status: Int32) {
        try await ChildProcess(["openssl"] + arguments).end()
    }

    @Test func `a key that openssl has made is taken, and its public key is the same`() async throws {
        let folder = try TemporaryFolder("key")
        let (file, shown) = (folder.path(of: "key.pem"), folder.path(of: "public.pem"))
        #expect(try await openssl("genpkey", "-algorithm", "ed25519", "-out", file).status == 0)
        #expect(try await openssl("pkey", "-in", file, "-pubout", "-out", shown).status == 0)
        let text = try #require(folder.text(of: "key.pem"))
        let key = try #require(ReceiptKey(Secret(text: text)))
        #expect(key.publicKey.pem == folder.text(of: "public.pem"))
        #expect(key.pem.text == text)
    }

    /// The way that docs/administering.md shows.
    @Test func `openssl verifies an entry with the printed public key, and finds a changed one`() async throws {
        let folder = try TemporaryFolder("key")
        var chain = try SampleChain(2)
        try folder.write(chain.key.publicKey.pem, to: "receipts.pem")
        for isChanged in [false, true] {
            if isChanged { chain.rows[1].entry.time += 1 }
            try folder.write(chain.rows[1].entry.message, to: "entry")
            try folder.write(chain.rows[1].entry.signature, to: "signature.b64")
            let signature = folder.path(of: "signature")
            #expect(
                try await openssl("base64", "-d", "-A", "-in", folder.path(of: "signature.b64"), "-out", signature)
                    .status
                    == 0)
            let run = try await openssl(
                "pkeyutl", "-verify", "-pubin", "-inkey", folder.path(of: "receipts.pem"), "-rawin", "-in",
                folder.path(of: "entry"), "-sigfile", signature)
            #expect((run.status == 0) == !isChanged, "\(run.output)")
        }
    }

    @Test func `what is signed is nine lines, and the next entry has the hash of those and of the signature`() throws {
        let chain = try SampleChain(2)
        let (first, second) = (chain.rows[0].entry, chain.rows[1].entry)
        #expect(
            String(decoding: first.message, as: UTF8.self) == """
                org.baton.receipt-chain 1
                journal \(SampleChain.journal)
                sequence 1
                epoch 100
                kind ended
                time 1790000000000000
                receipt \(ChainEntry.hash(ofReceipt: #"{"epoch":100}"#))
                previous \(ChainEntry.beginning)
                key \(chain.key.publicKey.id)

                """)
        let hashed = String(decoding: first.message, as: UTF8.self) + "signature \(first.signature)\n"
        #expect(second.previous == ChainEntry.hash(ofReceipt: hashed))
        #expect(ChainEntry.hash(ofReceipt: "") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }
}
