import FolderTesting
import Testing
import Vocabulary

@testable import LinuxSystem
@testable import LocalAccounts

@Suite struct KeyboardTests {
    @Test func `an account has a layout, which is kept when the rest changes`() throws {
        let folder = try TemporaryFolder("accounts")
        let file = AccountsFile(beside: folder.filePath("baton.yaml"))
        try file.add(LocalAccount(username: "ana", name: "Ana", keyboard: "ch(fr)", pin: nil))
        try file.edit("ana") { (old) throws(LocalAccount.Fault) in
            try LocalAccount(
                username: old.username, name: "Ana H.", locale: "de_CH", keyboard: old.keyboard?.text, pin: old.pin)
        }
        #expect(
            try file.list() == [
                try LocalAccount(username: "ana", name: "Ana H.", locale: "de_CH", keyboard: "ch(fr)", pin: nil)
            ])
        #expect(throws: AccountsFile.Fault.unknown(path: folder.path + "/accounts.yaml", username: "bo")) {
            try file.edit("bo") { $0 }
        }
        #expect(throws: LocalAccount.Fault.keyboard("de;id")) {
            try LocalAccount(username: "ana", name: "Ana", keyboard: "de;id", pin: nil)
        }
        let read = AccountsList(document: "accounts:\n  - {username: a, name: b, keyboard: '-x'}\n")
        #expect(read.faults.map(\.key) == ["accounts[0].keyboard"])
    }

    @Test func `a list of layouts is read as XKB writes it`() {
        let rules = XKBRules(
            text: """
                ! model
                  pc105           Generic 105-key PC
                ! layout
                  de              German
                  ch              German (Switzerland)
                ! variant
                  nodeadkeys      de: German (no dead keys)
                  fr              ch: French (Switzerland)
                  broken          German
                ! option
                  grp             Switching to another layout
                """)
        #expect(rules.has(layout: "de", variant: "") && rules.has(layout: "ch", variant: "fr"))
        for (layout, variant) in [
            ("pc105", ""), ("de", "fr"), ("de", "broken"), ("German", "broken"), ("grp", ""), ("", ""),
        ] {
            #expect(!rules.has(layout: layout, variant: variant), "\(layout) \(variant)")
        }
        #expect(
            rules.layout(described: "German (no dead keys)").map { [$0.layout, $0.variant] } == ["de", "nodeadkeys"])
        #expect(rules.layout(described: "Klingon") == nil)
        #expect(XKBRules(path: "/nowhere") == nil)
    }
}
