import LocalAccounts
import Testing

@Suite struct AccountDirectoryTests {
    func directory() throws -> AccountDirectory {
        AccountDirectory([
            try LocalAccount(username: "ana", name: "Ana Horvat", locale: "hr", pin: try hash("4711")),
            try LocalAccount(username: "ben", name: "Ben", pin: nil),
        ])
    }

    @Test func `the right PIN gives the account`() async throws {
        let account = try #require(await directory().check(username: "ana", pin: secret("4711")))
        #expect(account.id == "local#ana")
        #expect(account.locale == "hr")
    }

    @Test(arguments: [
        ("ana", "4712"), ("ana", nil), ("ana", ""), ("ben", "4711"), ("ben", nil), ("cleo", "4711"), ("", ""),
        ("ANA", "4711"), ("\0", "\0"),
    ]) func `everything else gives nothing`(username: String, pin: String?) async throws {
        #expect(try await directory().check(username: username, pin: pin.map(secret)) == nil)
    }

    @Test(arguments: [
        "", "-ana", "a b", "ana\n", "ana/..", "anä", "a#b", "a:b", String(repeating: "a", count: 65), "a\0b",
    ]) func `what is not a user name is refused`(username: String) {
        #expect(throws: LocalAccount.Fault.username(username)) {
            try LocalAccount(username: username, name: "Ana", pin: nil)
        }
    }

    @Test(arguments: ["ana", "Ana.Horvat@example.org", "1042", "a+b", "_x"])
    func `what is a user name is taken`(username: String) throws {
        #expect(try LocalAccount(username: username, name: "Ana", pin: nil).username == username)
    }

    @Test(arguments: ["", "Ana\nadmin", "Ana\u{202E}", "\u{1B}[31m", String(repeating: "ä", count: 129)])
    func `what is not a name is refused`(name: String) {
        #expect(throws: LocalAccount.Fault.name) { try LocalAccount(username: "ana", name: name, pin: nil) }
    }

    @Test(arguments: ["", "x", "hr HR", "../hr", String(repeating: "h", count: 36)])
    func `what is not a locale is refused`(locale: String) {
        #expect(throws: LocalAccount.Fault.locale(locale)) {
            try LocalAccount(username: "ana", name: "Ana", locale: locale, pin: nil)
        }
    }
}
