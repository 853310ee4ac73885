import ArgumentParser
import Baton
import Testing

@testable import BatonctlProgram

@Suite struct OptionTests {
    @Test(arguments: [
        (["--session", "status"], ["status", "--session"]),
        (
            ["--bus", "unix:path=/b", "apps", "forget", "x", "--all"],
            ["apps", "forget", "--bus", "unix:path=/b", "x", "--all"]
        ),
        (["--bus=unix:path=/b", "--session", "apps"], ["apps", "--bus=unix:path=/b", "--session"]),
        (["--system", "run", "--app", "a", "--", "status"], ["run", "--system", "--app", "a", "--", "status"]),
        (["status", "--session"], ["status", "--session"]), (["--session"], ["--session"]), (["--bus"], ["--bus"]),
        (["--session", "--help"], ["--session", "--help"]), ([], []),
    ])
    func `the bus may be chosen before the subcommand`(_ given: [String], _ taken: [String]) throws {
        #expect(LeadingOptions.moved(given, of: Batonctl.self) == taken)
    }

    @Test func `such a command line is parsed, and two buses are refused there too`() throws {
        let status = try Batonctl.parseAsRoot(LeadingOptions.moved(["--session", "status"], of: Batonctl.self))
        #expect((status as? Status)?.bus.session == true)
        #expect(throws: (any Error).self) {
            try Batonctl.parseAsRoot(LeadingOptions.moved(["--session", "--system", "status"], of: Batonctl.self))
        }
    }

    @Test func `a number of receipts that cannot be shown is refused, not answered with none`() throws {
        for count in ["0", "1001"] {
            #expect(throws: (any Error).self) { try Batonctl.parseAsRoot(["receipts", "--newest", count]) }
        }
        for count in ["1", "1000"] { _ = try Batonctl.parseAsRoot(["receipts", "--newest", count]) }
    }

    @Test func `sign-out takes the reasons that a person may give, and no other`() throws {
        for reason in ["user", "administrator"] { _ = try Batonctl.parseAsRoot(["sign-out", "--reason", reason]) }
        for reason in SignOutReason.allCases.map(\.rawValue) where !["user", "administrator"].contains(reason) {
            #expect(throws: (any Error).self, "\(reason)") {
                try Batonctl.parseAsRoot(["sign-out", "--reason", reason])
            }
        }
    }

    @Test func `the shell completes the values of options`() {
        let script = Batonctl.completionScript(for: .bash)
        for values in [
            ["user", "administrator"], SignInPrompt.allCases.map(\.rawValue), ["always", "at-sign-in", "never"],
        ] {
            #expect(values.allSatisfy { script.contains($0) }, "\(values)")
        }
        #expect(script.contains("select-account"))
    }

    @Test func `the help names every exit code of doctor, run and test-app`() {
        for code in ["2 only warnings", "127 no such program"] {
            #expect(Text.Help.batonctlDiscussion.replacing("\n", with: " ").contains(code))
        }
    }
}
