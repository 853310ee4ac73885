import LocalAccounts
import Secrets
import Testing

@Suite struct SecretTests {
    @Test func `a secret never shows itself`() {
        let pin = secret("4711")
        var dumped = ""
        dump(pin, to: &dumped)
        for text in ["\(pin)", String(reflecting: pin), String(describing: [pin]), "\(pin as Any)", dumped] {
            #expect(!text.contains("4711") && !text.contains("52"))
        }
        #expect("\(pin)" == "<secret>")
    }

    @Test func `a secret lends its bytes and tells its length`() {
        let pin = secret("4711")
        #expect(pin.count == 4)
        #expect(pin.withUnsafeBytes { Array($0) } == Array("4711".utf8))
    }

    @Test(arguments: [(-1, 0), (0, 0), (3, 3), (99, 8)]) func `a filler that lies about its length cannot overrun`(
        claimed: Int, kept: Int
    ) {
        let filled = Secret(capacity: 8) { _ in claimed }
        #expect(filled.count == kept)
        #expect(filled.withUnsafeBytes { $0.count } == kept)
    }

    struct Refusal: Error {}

    @Test func `a filler's error comes out`() {
        #expect(throws: Refusal.self) {
            _ = try Secret(capacity: 4) { (_) throws(Refusal) -> Int in throw Refusal() }
        }
    }
}
