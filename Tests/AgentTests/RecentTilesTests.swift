import BatonContract
import Testing
import Vocabulary

@testable import Agent

/// Who may come back to a free terminal, and on what.
@Suite struct RecentTilesTests {
    private func account(_ username: String, _ name: String, environment: String = "local") -> Account {
        var account = Account(id: "local#\(username)", username: username, name: name)
        account.environment = environment
        return account
    }

    @Test func `the last workers are offered once each, the newest first, and keep their keys`() {
        var recent = RecentTiles()
        let accounts = [account("ana", "Ana Horvat"), account("bo", ""), account("ana", "Ana Horvat")]
        let tiles = recent.tiles(of: accounts, .names)
        #expect(tiles.map(\.label) == ["Ana Horvat", "bo"])
        #expect(tiles.map { recent.username(of: $0.key) } == ["ana", "bo"])
        #expect(recent.tiles(of: accounts.reversed(), .names) == tiles)
        #expect(recent.username(of: "ana") == nil)
    }

    @Test func `as little is shown as the settings say`() {
        var recent = RecentTiles()
        let accounts =
            [account("ana", "Ana Maria Horvat"), account("x", "Eve", environment: "oidc")]
            + (0..<9).map { account("w\($0)", "\u{202E}<b>") }
        let tiles = recent.tiles(of: accounts, .initials)
        #expect(tiles.count == RecentTiles.most && tiles.first?.label == "AH")
        #expect(tiles.dropFirst().allSatisfy { $0.label == "B" })
        #expect(recent.tiles(of: accounts, .off).isEmpty)
        #expect(tiles.allSatisfy { recent.username(of: $0.key) == nil })
    }

    @Test(arguments: [
        ("Ana", "A"), ("élodie d'Arc", "ÉA"), ("Ъ", "Ъ"), ("  ", "?"), ("李 小龙", "李小"),
    ]) func `initials are those of the first and the last word`(name: String, initials: String) {
        #expect(RecentTiles.initials(name) == initials)
    }

    @Test(arguments: [
        ("", true), ("B: KEY=10000000000000 0\n", false),
        ("N: Name=\"AT keyboard\"\nB: KEY=402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe\n", true),
        ("N: Name=\"Touch\"\nB: KEY=400 0 0 0 0 0\nB: EV=b\n", false), ("B: KEY=zz\n", false),
    ]) func `a keyboard is what has letters`(list: String, isThere: Bool) {
        #expect(Keyboards.areThere(in: list) == isThere)
    }
}
