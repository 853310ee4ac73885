import SessionMachine
import Testing
import Vocabulary

struct ExplanationTests {
    @Test func `each part is said in its own words, in their order`() {
        let explanation: Explanation = [
            .restarted(times: 3), .notContained(apps: ["org.example.Till", "org.example.Notes"]),
            .browserNotSignedOut(failed: ["cookies"]), .browserNotSignedOut(failed: []),
            .notCleared(holder: "clipboard"),
        ]
        #expect(
            explanation.text
                == "the supervisor was restarted 3 times; not contained: org.example.Till, org.example.Notes; "
                + "the browser was not signed out (cookies); the browser was not signed out; not cleared: clipboard")
    }

    @Test func `the absolute limit is said in seconds`() {
        #expect(
            ([.absoluteLimit(microseconds: 2_500_000)] as Explanation).text
                == "the barrier did not end within its absolute limit of 2.5 s")
    }

    @Test func `what is empty explains nothing`() {
        #expect(Explanation(said: "").isEmpty && Explanation().text.isEmpty)
        #expect(Explanation(said: "it hangs").text == "it hangs")
    }

    @Test(
        arguments: [
            ([.resetJournal], "an administrator put a journal aside that could not be read"),
            (
                [.endedByAdministrator, .notProvenClean(apps: ["a", "b"])],
                "ended the quarantine; not proven clean: a, b"
            ),
            ([.notRunning, .containmentTimedOut], "it was not running any more; the agent did not contain it in time"),
            ([.sealed(.unreadableJournal("mend it"))], "mend it"), ([.begunSince(7)], "epoch 7 had begun since"),
        ] as [(Explanation, String)])
    func `causes are told`(explanation: Explanation, words: String) {
        #expect(explanation.text.contains(words), "\(explanation.text)")
    }
}
