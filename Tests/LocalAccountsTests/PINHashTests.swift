import LocalAccounts
import Testing

/// 32 zero bytes.
private let some = String(repeating: "A", count: 43)

@Suite struct PINHashTests {
    @Test func `the right PIN matches and others do not`() throws {
        let hash = try hash("4711")
        #expect(hash.verify(pin: secret("4711")))
        for wrong in ["4712", "47110", "471", "", "4711\n", String(repeating: "4", count: 257)] {
            #expect(!hash.verify(pin: secret(wrong)))
        }
    }

    @Test func `the text form comes back as the same hash`() throws {
        let hash = try hash("4711")
        let again = try #require(PINHash(text: hash.text))
        #expect(again == hash)
        #expect(again.text == hash.text)
        #expect(again.verify(pin: secret("4711")))
        #expect(hash.text.hasPrefix("scrypt$ln=4,r=1,p=1$"))
    }

    @Test func `the standard cost is the one that the settings document`() {
        #expect(PINHash.unmatchable().text.hasPrefix("scrypt$ln=15,r=8,p=1$"))
    }

    @Test func `two hashes of one PIN differ`() throws {
        #expect(try hash("4711").text != hash("4711").text)
    }

    /// RFC 7914, section 12: "pleaseletmein", "SodiumChloride", N 16384, r 8, p 1, first 32 of 64 bytes.
    @Test func `the published scrypt vector verifies`() throws {
        let vector = "scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofI"
        let hash = try #require(PINHash(text: vector))
        #expect(hash.verify(pin: secret("pleaseletmein")))
        #expect(!hash.verify(pin: secret("pleaseletmein ")))
    }

    @Test(arguments: [
        "", "scrypt", "scrypt$$$", "4711", "<from batonctl hash-pin>",
        "scrypt$ln=15,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA",
        "scrypt$ln=15,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$\(String(repeating: "A", count: 300))",
        "scrypt$ln=015,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$\(some)", "scrypt$ln=+15,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$\(some)",
        "scrypt$r=8,ln=15,p=1$AAAAAAAAAAAAAAAAAAAAAA$\(some)", "scrypt$ln=15,r=8$AAAAAAAAAAAAAAAAAAAAAA$\(some)",
        "scrypt$ln=15,r=8,p=1,q=2$AAAAAAAAAAAAAAAAAAAAAA$\(some)", "scrypt$ln=15,r=8,p=1$AAAA$\(some)",
        "scrypt$ln=15,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAB$\(some)", "scrypt$ln=15,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA==$\(some)",
        "scrypt$ln=15,r=8,p=1$AAAAAAAAAAAA AAAAAAAAAA$\(some)", " scrypt$ln=15,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$\(some)",
        "scrypt$ln=15,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$\(some)$", "SCRYPT$ln=15,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$\(some)",
    ]) func `any other text is refused`(text: String) {
        #expect(PINHash(text: text) == nil)
    }

    @Test(arguments: [
        "ln=18,r=8,p=1", "ln=17,r=16,p=1", "ln=20,r=2,p=1", "ln=21,r=1,p=1", "ln=15,r=8,p=9", "ln=17,r=8,p=8",
        "ln=0,r=8,p=1", "ln=15,r=0,p=1", "ln=15,r=8,p=0", "ln=-1,r=8,p=1", "ln=15,r=-8,p=1", "ln=1,r=17,p=1",
        "ln=9223372036854775807,r=9223372036854775807,p=9223372036854775807", "ln=99999999999999999999,r=8,p=1",
    ]) func `a cost out of bounds is refused`(parameters: String) {
        #expect(PINHash(text: "scrypt$\(parameters)$AAAAAAAAAAAAAAAAAAAAAA$\(some)") == nil)
    }

    @Test(arguments: [(1, 1, 1), (1, 16, 1), (4, 16, 1), (1, 1, 8), (10, 16, 8)]) func `every cost in bounds computes`(
        logRounds: Int, blockSize: Int, parallelism: Int
    ) throws {
        let parameters = try #require(
            ScryptParameters(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism))
        let hash = try PINHash.make(pin: secret("1"), parameters: parameters)
        #expect(hash.verify(pin: secret("1")))
        #expect(!hash.verify(pin: secret("2")))
    }

    @Test func `an empty PIN and one that is too long are not hashed`() {
        #expect(throws: PINHash.Fault.empty) { try hash("") }
        #expect(throws: PINHash.Fault.tooLong) { try hash(String(repeating: "1", count: 257)) }
    }

    @Test func `a hash does not show itself`() throws {
        let hash = try hash("4711")
        var dumped = ""
        dump(hash, to: &dumped)
        let tail = try #require(hash.text.split(separator: "$").last)
        #expect(!"\(hash)".contains(tail) && !dumped.contains(tail))
    }
}
