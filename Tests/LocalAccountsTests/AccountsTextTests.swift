import LocalAccounts
import Testing

private let old =
    "scrypt$ln=4,r=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
private let new =
    "scrypt$ln=4,r=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
private let cleo = #"{username: "cleo", name: "Cleo \"C\" O'Hara"}"#

@Suite struct AccountsTextTests {
    func cleoAccount() throws -> LocalAccount {
        try LocalAccount(username: "cleo", name: #"Cleo "C" O'Hara"#, pin: nil)
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let name: String
        let before: String
        let after: String
        var testDescription: String { name }
    }

    static let additions = [
        Change(
            name: "no text", before: "",
            after: "identity:\n  kind: local\n  accounts:\n    - \(cleo)\n"),
        Change(
            name: "only comments, no newline at the end", before: "# mine",
            after: "# mine\nidentity:\n  kind: local\n  accounts:\n    - \(cleo)\n"),
        Change(
            name: "no identity", before: "mode: shared # yes\n",
            after: "mode: shared # yes\nidentity:\n  kind: local\n  accounts:\n    - \(cleo)\n"),
        Change(
            name: "identity without a value", before: "identity: # who\nmode: shared\n",
            after: "identity: # who\n  kind: local\n  accounts:\n    - \(cleo)\nmode: shared\n"),
        Change(
            name: "identity without accounts", before: "identity:\n  kind: local # here\nmode: shared\n",
            after: "identity:\n  kind: local # here\n  accounts:\n    - \(cleo)\nmode: shared\n"),
        Change(
            name: "identity in braces", before: "identity: {kind: local} # here\n",
            after: "identity: {kind: local, accounts: [\(cleo)]} # here\n"),
        Change(
            name: "an empty list", before: "identity:\n  accounts: [ ]  # none\n  kind: local\n",
            after: "identity:\n  accounts:  # none\n    - \(cleo)\n  kind: local\n"),
        Change(
            name: "an empty list at the end without newline", before: "identity:\n    accounts: []",
            after: "identity:\n    accounts:\n      - \(cleo)"),
        Change(
            name: "an empty list in braces", before: "{identity: {accounts: []}}\n",
            after: "{identity: {accounts: [\(cleo)]}}\n"),
        Change(
            name: "a list without a value", before: "identity:\n  accounts:\nmode: shared\n",
            after: "identity:\n  accounts:\n    - \(cleo)\nmode: shared\n"),
        Change(
            name: "a list of braces",
            before:
                "identity:\n  accounts:\n    # staff\n    - {username: ana, name: Ana} # first\n    # more\nmode: shared\n",
            after:
                "identity:\n  accounts:\n    # staff\n    - {username: ana, name: Ana} # first\n    - \(cleo)\n    # more\nmode: shared\n"
        ),
        Change(
            name: "a list that is not indented",
            before: "identity:\n  accounts:\n  - username: ana\n    name: 'Ana ''A'' #1'\nmode: shared\n",
            after: "identity:\n  accounts:\n  - username: ana\n    name: 'Ana ''A'' #1'\n  - \(cleo)\nmode: shared\n"),
        Change(
            name: "braces over several lines",
            before: "identity:\n  accounts:\n    - {username: ana, # }\n       name: \"A } \\\" b\"}\n",
            after: "identity:\n  accounts:\n    - {username: ana, # }\n       name: \"A } \\\" b\"}\n    - \(cleo)\n"),
        Change(
            name: "a list in brackets", before: "identity:\n  accounts: [{username: ana, name: Ana}]\n",
            after: "identity:\n  accounts: [{username: ana, name: Ana}, \(cleo)]\n"),
        Change(
            name: "text beyond ASCII before it", before: "identity: {accounts: [{username: ana, name: Änne 👩🏽‍⚕️}]} # ü\n",
            after: "identity: {accounts: [{username: ana, name: Änne 👩🏽‍⚕️}, \(cleo)]} # ü\n"),
    ]

    @Test(arguments: additions) func `an account is added and all else stays`(change: Change) throws {
        #expect(try AccountsText.adding(cleoAccount(), to: change.before) == change.after)
    }

    static let removals = [
        Change(
            name: "the first of two",
            before: "identity:\n  accounts:\n    - {username: ana, name: A} # x\n    - {username: ben, name: B} # y\n",
            after: "identity:\n  accounts:\n    - {username: ben, name: B} # y\n"),
        Change(
            name: "the last of two, at the end of the file",
            before:
                "identity:\n  accounts:\n    - {username: ben, name: B} # y\n    # note\n    - {username: ana, name: A}",
            after: "identity:\n  accounts:\n    - {username: ben, name: B} # y\n    # note"),
        Change(
            name: "the only one",
            before: "identity:\n  accounts: # all\n    - username: ana\n      name: A\n  kind: local\n",
            after: "identity:\n  accounts: [] # all\n  kind: local\n"),
        Change(
            name: "lines",
            before: "identity:\n  accounts:\n  - username: ana\n    name: A\n  -\n    username: ben\n    name: B\n",
            after: "identity:\n  accounts:\n  -\n    username: ben\n    name: B\n"),
        Change(
            name: "a dash on a line of its own",
            before: "identity:\n  accounts:\n  -\n    username: ana\n    name: A\n  - username: ben\n    name: B\n",
            after: "identity:\n  accounts:\n  - username: ben\n    name: B\n"),
        Change(
            name: "first in brackets",
            before: "identity: {accounts: [{username: ana, name: A}, {username: ben, name: B}]}\n",
            after: "identity: {accounts: [{username: ben, name: B}]}\n"),
        Change(
            name: "last in brackets",
            before: "identity: {accounts: [{username: ben, name: B}, {username: ana, name: A}]}\n",
            after: "identity: {accounts: [{username: ben, name: B}]}\n"),
        Change(
            name: "only in brackets", before: "identity:\n  accounts: [ {username: ana, name: A}, ]\n",
            after: "identity:\n  accounts: []\n"),
    ]

    @Test(arguments: removals) func `an account is removed and all else stays`(change: Change) throws {
        #expect(try AccountsText.removing("ana", from: change.before) == change.after)
    }

    static let changes = [
        Change(
            name: "double quotes", before: "identity: {accounts: [{username: ana, name: A, pin: \"\(old)\"}]} # x\n",
            after: "identity: {accounts: [{username: ana, name: A, pin: \"\(new)\"}]} # x\n"),
        Change(
            name: "single quotes",
            before: "identity:\n  accounts:\n  - pin: '\(old)' # secret\n    username: ana\n    name: A\n",
            after: "identity:\n  accounts:\n  - pin: \"\(new)\" # secret\n    username: ana\n    name: A\n"),
        Change(
            name: "no quotes", before: "identity:\n  accounts:\n  - pin: \(old)\n    username: ana\n    name: A\n",
            after: "identity:\n  accounts:\n  - pin: \"\(new)\"\n    username: ana\n    name: A\n"),
        Change(
            name: "no PIN, braces", before: "identity:\n  accounts:\n  - {username: ana, name: A}\n",
            after: "identity:\n  accounts:\n  - {username: ana, name: A, pin: \"\(new)\"}\n"),
        Change(
            name: "no PIN, lines", before: "identity:\n  accounts:\n  - username: ana\n    name: A # x\nmode: shared\n",
            after: "identity:\n  accounts:\n  - username: ana\n    name: A # x\n    pin: \"\(new)\"\nmode: shared\n"),
        Change(
            name: "a PIN without a value", before: "identity:\n  accounts:\n  - username: ana\n    pin:\n    name: A\n",
            after: "identity:\n  accounts:\n  - username: ana\n    pin: \"\(new)\"\n    name: A\n"),
    ]

    @Test(arguments: changes) func `a PIN is set and all else stays`(change: Change) throws {
        let hash = try #require(PINHash(text: new))
        #expect(try AccountsText.setting(hash, of: "ana", in: change.before) == change.after)
    }

    @Test func `an account that is there is not added again`() {
        #expect(throws: AccountsText.Fault.exists("cleo")) {
            try AccountsText.adding(cleoAccount(), to: "identity: {accounts: [{username: cleo, name: C}]}\n")
        }
    }

    @Test(arguments: [
        "", "identity: {accounts: []}\n", "identity: {accounts: [{username: ben, name: B}]}\n",
        "identity: {accounts: [{username: ana, name: A}, {username: ana, name: B}]}\n",
    ]) func `an account that is not there exactly once is neither removed nor changed`(text: String) throws {
        let hash = try #require(PINHash(text: new))
        #expect(throws: AccountsText.Fault.unknown("ana")) { try AccountsText.removing("ana", from: text) }
        #expect(throws: AccountsText.Fault.unknown("ana")) { try AccountsText.setting(hash, of: "ana", in: text) }
    }

    @Test(arguments: [
        "identity: [", "identity: 5\n", "identity: {accounts: 5}\n", "- a\n", "a: 1\na: 2\n",
        "identity: {kind: oidc}\n",
        "mode: &x shared\nother: *x\n", "mode: shared\r\n", "mode: a\u{2028}b\n", "mode: \u{1}\n", "text\n",
    ]) func `what is not a settings file is left alone`(text: String) {
        #expect {
            try AccountsText.adding(cleoAccount(), to: text)
        } throws: { error in
            if case .unreadable? = error as? AccountsText.Fault { true } else { false }
        }
    }

    @Test(arguments: [
        "mode: shared\n...\n", "{mode: shared}\n", "identity:\n  accounts: ~\n",
        "identity:\n  accounts:\n    - username: ana\n      name: |\n        Ana\n",
        "identity:\n  accounts:\n    - username: ana\n      name: Ana\n        Horvat\n",
    ]) func `what cannot be changed safely is left alone`(text: String) {
        #expect {
            try AccountsText.adding(cleoAccount(), to: text)
        } throws: { error in
            if case .tooIntricate? = error as? AccountsText.Fault { true } else { false }
        }
    }
}
