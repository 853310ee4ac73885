import BatonContract
import Presentation
import Testing
import Vocabulary

@testable import Agent

@Suite struct WorkerLineTests {
    @Test(arguments: [
        (ErrorCode.notAuthorized, "wrongPIN"), (.accountMismatch, "heldByAnother"), (.alreadySignedIn, "heldByAnother"),
        (.signingOut, "busy"), (.signingIn, "busy"), (.notSignedIn, "noWorker"),
        (.providerUnreachable, "providerUnreachable"), (.providerRejected, "providerRejected"), (.userCanceled, ""),
        // What no text says is better said in English than not at all.
        (.agentMissing, "Why it is so."), (.failed, "Why it is so."),
    ]) func `a refusal is the name of a text that each language has, or its own words`(code: ErrorCode, text: String) {
        #expect(WorkerLine(BatonError(code, "Why it is so.")).pageText == text)
    }
}
