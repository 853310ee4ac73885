import Testing
import WebText

@Suite("Base64 for URLs", .timeLimit(.minutes(1)))
struct Base64URLTests {
    @Test func `Base64 for URLs has one text for each value`() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            let text = Base64URL.encode(bytes)
            #expect(Base64URL.decode(text.utf8) == bytes)
        }
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        for text in ["-_9", "A", "AAAAA", "AA==", "A A", "+/8", "AAAB\n", "é"] {
            #expect(Base64URL.decode(text.utf8) == nil, "\(text)")
        }
    }

    @Test func `all letters are read, and no other byte is`() throws {
        for byte in UInt8.min...UInt8.max {
            let isLetter =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-_".utf8.contains(byte)
            // In each place of four, and in the last but one of three and two.
            for text in [[byte, 65, 65, 65], [65, byte, 65, 65], [65, 65, 65, byte], [65, byte, 65], [byte, 65]] {
                #expect((Base64URL.decode(text) != nil) == isLetter, "\(text)")
            }
        }
    }

    @Test(arguments: ["=", "==", "====", "AA=", "AAA=", "AAAA====", "AA\0\0", " AAA", "AAA ", "AA\r\nAA", "AB", "AAB"])
    func `padding, white space and loose bits are refused`(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }
}
