import Baton
import FolderTesting
import Glibc
import TerminalTesting
import Testing

/// What a real bash offers: names that this terminal has now.
@Suite("Completion", .timeLimit(.minutes(2)))
struct CompletionTests {
    private static let settings = "agent: {required: false, start: false}\n" + Terminal.patient

    /// The words that bash offers after a command line, whose last word is being typed.
    private func offered(_ line: String, on terminal: Terminal) async throws -> [String] {
        let script = """
            source <(batonctl --generate-completion-script bash)
            read -ra COMP_WORDS <<<"$0"
            case "$0" in *" ") COMP_WORDS+=("") ;; esac
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE="$0" COMP_POINT=${#COMP_LINE} COMP_TYPE=9 COMP_KEY=9
            _batonctl batonctl "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let shell = try terminal.run(["bash", "--norc", "--noprofile", "-c", script, line])
        _ = await shell.end()
        return shell.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.sorted()
    }

    @Test func `a shell offers accounts, turns, apps and settings`() async throws {
        let terminal = try Terminal(settings: Self.settings)
        let daemon = try await terminal.startDaemon(agent: false)
        let (peer, app) = (try await Peer(terminal), try await Peer(terminal))
        let registration = try await app.register("org.example.Till")
        let epoch = try await peer.signIn("ana", pin: "1234")
        let leaving = Task { try await peer.signOut() }
        try await peer.waitForPhase(.clearing)
        try await app.acknowledge(epoch, registration.instance)
        _ = try await leaving.value
        #expect(try await offered("batonctl account set-pin ", on: terminal) == ["ana", "bo"])
        #expect(try await offered("batonctl sign-in a", on: terminal) == ["ana"])
        #expect(try await offered("batonctl receipts show ", on: terminal) == ["\(epoch)"])
        #expect(try await offered("batonctl apps forget org", on: terminal) == ["org.example.Till"])
        #expect(
            try await offered("batonctl settings get barrier.s", on: terminal) == ["barrier.soft"])
        withExtendedLifetime((daemon, app)) {}
    }

    @Test func `a terminal on which nothing can be asked has nothing to offer, and is no fault`() async throws {
        let terminal = try Terminal(settings: Self.settings)
        #expect(try await offered("batonctl apps forget ", on: terminal).allSatisfy(\.isEmpty))
        #expect(try await offered("batonctl receipts show ", on: terminal).allSatisfy(\.isEmpty))
    }
}
