import BatonContract
import BusTesting
import DBus
import FolderTesting
import Testing
import Vocabulary

/// What administrators may do is said three times: to programs, to polkit and to people.
@Suite struct AdministratorActionTests {
    private static let root = String(ContractFiles.folder.dropLast("dbus/".count))

    private func text(_ path: String) throws -> String {
        guard let text = contents(Self.root + path) else { throw TestingError("cannot read \(path)") }
        return text
    }

    @Test func `each method for administrators asks for exactly one action`() {
        let all = AdministratorAction.allCases.flatMap(\.members)
        #expect(Set(all).count == all.count)
        let administrative = Interfaces.administration.methods.map(\.name)
        #expect(administrative.filter { !all.contains($0) } == [])
        // Beside those, what has more to give to administrators.
        #expect(
            Set(all).subtracting(administrative)
                == [
                    Device1.signOut.name, Device1.cancelSignIn.name, Device1.getReceipt.name,
                    Device1.listReceipts.name, LogControl1.logLevel.name,
                ])
    }

    @Test func `the policy has each action, lets batond ask, and nobody through without a password`() throws {
        let lines = ContractFiles.lines(try text("packaging/polkit/org.baton.policy"))
        func values(_ begin: String, _ end: String) -> [String] {
            lines.filter { $0.hasPrefix(begin) && $0.hasSuffix(end) }
                .map { String($0.dropFirst(begin.count).dropLast(end.count)) }
        }
        let actions = AdministratorAction.allCases
        #expect(values(#"<action id=""#, #"">"#) == actions.map(\.rawValue))
        for kind in ["any", "inactive", "active"] {
            #expect(
                values("<allow_\(kind)>", "</allow_\(kind)>")
                    == actions.map { $0 == .readReceipts ? "auth_admin_keep" : "auth_admin" })
        }
        #expect(
            values("<annotate ", "</annotate>")
                == actions.map { _ in #"key="org.freedesktop.policykit.owner">unix-user:baton"# })
    }

    @Test(arguments: Language.allCases)
    func `polkit can ask in each language of Baton's`(language: Language) throws {
        let lines = ContractFiles.lines(try text("packaging/polkit/org.baton.policy"))
        func texts(_ tag: String, _ language: Language) -> [String] {
            let begin = language == .english ? "<\(tag)>" : #"<\#(tag) xml:lang="\#(language.rawValue)">"#
            let end = "</\(tag)>"
            return lines.filter { $0.hasPrefix(begin) && $0.hasSuffix(end) }
                .map { String($0.dropFirst(begin.count).dropLast(end.count)) }
        }
        let count = AdministratorAction.allCases.count
        for tag in ["description", "message"] {
            let own = texts(tag, language)
            // Each has its own, and a language no other's.
            #expect(own.count == count && Set(own).count == count && !own.contains(""), "\(own)")
            for other in Language.allCases where other != language {
                #expect(Set(own).isDisjoint(with: texts(tag, other)))
            }
        }
        // Each text follows the English one of its action.
        let order = lines.filter { $0.hasPrefix("<message") || $0.hasPrefix("<action") }
            .map { $0.contains(#"xml:lang="\#(language.rawValue)""#) ? "own" : String($0.prefix(9)) }
        if language != .english { #expect(order.split(separator: "<action i").allSatisfy { $0.contains("own") }) }
    }

    @Test func `the table for administrators has each action with the members that ask for it`() throws {
        var table: [String: [String]] = [:]
        for line in try text("docs/administering.md").split(separator: "\n") where line.hasPrefix("| `org.baton.") {
            let cells = line.split(separator: "|").map { $0.split(separator: "`").map(String.init) }
            guard let action = cells.first?.dropFirst().first else { continue }
            // Every second piece is between back quotes.
            table[action] = cells.dropFirst().first?.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        }
        #expect(Set(table.keys) == Set(AdministratorAction.allCases.map(\.rawValue)))
        for action in AdministratorAction.allCases {
            #expect(Set(table[action.rawValue] ?? []) == Set(action.members.map(\.rawValue)), "\(action)")
        }
    }
}
