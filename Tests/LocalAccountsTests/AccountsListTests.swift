import GeneratedInput
import Testing

@testable import LocalAccounts

@Suite struct AccountsListTests {
    private func expectSame(_ accounts: [LocalAccount], sourceLocation: SourceLocation = #_sourceLocation) {
        let text = AccountsList.text(of: accounts)
        let read = AccountsList(document: text)
        #expect(read.faults.isEmpty, "\(text)", sourceLocation: sourceLocation)
        #expect(read.accounts == accounts, sourceLocation: sourceLocation)
        // Not only what looks the same.
        for (left, right) in zip(read.accounts, accounts) {
            #expect(left.name.unicodeScalars.elementsEqual(right.name.unicodeScalars), sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [
        #"Cleo "C" O'Hara"#, "yes", "null", "~", "0123", "0x1F", "1e3", " leading", "trailing ", "a: b", "a # b", "# a",
        "- a", "[a]", "{a: b}", "*a", "&a", "!!int", "|", ">", "%YAML", "---", "...", "@a", "`a", ",", ":", "?", #"\"#,
        #"\n"#, #"a\"#, "Änne 👩🏽", "e\u{301}", "é", "\u{E000}", "中文", "אבג", "🇭🇷", "\u{A0}", "\u{3000}", "\u{10FFFD}",
    ]) func `a name comes back as it was, whatever YAML makes of it without quotes`(name: String) throws {
        expectSame([try LocalAccount(username: "ana", name: name, pin: nil)])
    }

    @Test(arguments: ["yes", "null", "0123", "1.5", "0x1F", "1e3", "_", ".", "@", "+1", "on", "2026-01-01"])
    func `a user name comes back as it was`(username: String) throws {
        expectSame([try LocalAccount(username: username, name: username, pin: nil)])
    }

    @Test func `generated accounts come back as they were`() throws {
        var input = GeneratedInput(seed: 20)
        let pieces = [
            "\"", "'", "\\", ":", " ", "#", "*", "{", "}", "[", "]", ",", "\\x", "\\U", "%", "&", "!", "-", "~",
        ]
        let pin = PINHash(
            text: "scrypt$ln=4,r=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
        for _ in 0..<200 {
            var accounts: [LocalAccount] = []
            for number in 0..<input.number(below: 12) {
                var name = ""
                for _ in 0...input.number(below: 24) {
                    if input.number(below: 2) == 0 {
                        name += input.pick(pieces) ?? ""
                    } else if let scalar = Unicode.Scalar(UInt32(input.number(below: 0x11_0000))), scalar.isPlain {
                        name.unicodeScalars.append(scalar)
                    }
                }
                guard (1...256).contains(name.utf8.count) else { continue }
                accounts.append(
                    try LocalAccount(
                        username: "u\(number)", name: name, locale: input.pick(["hr", "de_AT@euro", nil]) ?? nil,
                        keyboard: input.pick(["no", "ch(fr)", nil]) ?? nil,
                        pin: input.pick([pin, nil]) ?? nil))
            }
            expectSame(accounts)
        }
    }

    @Test func `many asterisks are no storm of aliases`() throws {
        expectSame(try (0..<40).map { try LocalAccount(username: "u\($0)", name: "*star *star", pin: nil) })
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let text: String
        let faults: [String]
        var testDescription: String { text }
        init(_ text: String, _ faults: String...) { (self.text, self.faults) = (text, faults) }
    }

    @Test(arguments: [
        Wrong("", "1: accounts: is missing"), Wrong("# nothing\n", "1: accounts: is missing"),
        Wrong("accounts:\n", "1: accounts: has no value; without accounts it is []"),
        Wrong("accounts: ~\n", "1: accounts: has no value; without accounts it is []"),
        Wrong("accounts: &a []\n", "1: accounts: anchors and aliases are not supported"),
        Wrong("accounts: {}\n", "1: accounts: must be a list of accounts"),
        Wrong("- a\n", "1: the file must consist of keys"),
        Wrong("accounts: []\nmode: shared\n", "2: mode: unknown key"),
        Wrong("accounts: []\naccounts: []\n", "2: accounts: duplicate key, first in line 1"),
        Wrong("identity: {accounts: []}\n", "1: identity: unknown key", "1: accounts: is missing"),
        Wrong("accounts: [{username: a, name: b, pni: c}]\n", "1: accounts[0].pni: unknown key"),
        Wrong(
            "accounts:\n  - {username: ana, name: A}\n  - {username: ana, name: B}\n",
            "3: accounts[1].username: 'ana' is there twice, first in line 2"),
    ]) func `a file that batonctl would not write is refused with line and key`(wrong: Wrong) {
        let list = AccountsList(document: wrong.text)
        #expect(list.faults.map { "\($0.line): \($0.key.map { "\($0): " } ?? "")\($0.message)" } == wrong.faults)
    }

    @Test func `no part of a file that is cut off is taken for the whole`() throws {
        let accounts = try ["ana", "bo"].map { try LocalAccount(username: $0, name: "N", pin: nil) }
        let text = AccountsList.text(of: accounts)
        // A file that ends between two accounts is one that could have been written so.
        let whole = [1, 2].map { Array(AccountsList.text(of: Array(accounts.prefix($0))).utf8).count }
        for count in 0..<text.utf8.count {
            let part = String(decoding: text.utf8.prefix(count), as: UTF8.self)
            let list = AccountsList(document: part)
            let isWhole = whole.contains(count) || whole.contains(count + 1)
            #expect(isWhole || !list.faults.isEmpty || list.accounts.count == 1, "\(part)")
        }
    }

    @Test func `a PIN in the place of its hash is never shown`() {
        let list = AccountsList(document: "accounts: [{username: ana, name: A, pin: \"4711secret\"}]\n")
        #expect(list.faults.count == 1 && list.accounts.isEmpty)
        #expect(!list.faults.contains { "\($0)".contains("4711") })
    }
}
