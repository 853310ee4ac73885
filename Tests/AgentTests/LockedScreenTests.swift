import BatonContract
import Display
import Presentation
import Testing

@testable import Agent

struct LockedScreenTests {
    private static let code = LockCode(hint: "Scan this.", code: "ABCD-EFGH", end: "Valid until 14:05.")

    private func screen(hasPIN: Bool = true, hasPhone: Bool = true) -> LockedScreen {
        LockedScreen(
            epoch: 1, .init(name: "Ana", end: "14:05", hasPIN: hasPIN, hasPhone: hasPhone), language: .english)
    }

    @Test func `a phone is offered beside the PIN, in its place, or not at all`() {
        let texts = WorkerTexts.of(.english)
        let both = screen().face
        #expect(both.hasKeys && both.phone == texts.phoneKey && both.back == texts.back && both.hint == texts.lockHint)
        let phone = screen(hasPIN: false).face
        #expect(!phone.hasKeys && phone.back == texts.backByPhone && phone.hint == texts.lockPhoneHint)
        let none = screen(hasPIN: false, hasPhone: false).face
        #expect(!none.hasKeys && none.phone.isEmpty && none.hint == texts.lockWithoutPIN)
        var pressed = screen(hasPIN: false, hasPhone: false)
        #expect(pressed.press(.phone) == nil && pressed.press(.enter) == nil && pressed.press(.other) == .signOut)
    }

    @Test func `a code takes the place of the keys until it is given up`() {
        var screen = screen()
        _ = screen.press(.character("1"))
        #expect(screen.press(.phone) == .unlockByPhone)
        #expect(screen.face.typed == 0 && screen.face.elsewhere == nil)
        #expect(screen.press(.phone) == nil && screen.press(.character("1")) == nil && screen.face.typed == 1)
        screen.show(Self.code)
        #expect(
            screen.face.elsewhere == Self.code && screen.face.typed == 0
                && screen.face.back == WorkerTexts.of(.english).cancel)
        #expect(screen.press(.enter) == nil && screen.press(.character("1")) == nil && screen.face.typed == 0)
        #expect(screen.press(.cancel) == .cancel)
        screen.endPhone(.none)
        #expect(screen.face.elsewhere == nil && screen.face.message.isEmpty)
        // A code that comes after that is not shown.
        screen.show(Self.code)
        #expect(screen.face.elsewhere == nil)
        #expect(screen.press(.character("1")) == nil && screen.face.typed == 1)
    }

    @Test func `a provider that does not answer keeps a worker neither from their PIN nor from another try`() {
        var screen = screen()
        #expect(screen.press(.phone) == .unlockByPhone)
        _ = screen.press(.character("1"))
        #expect(screen.press(.enter) == .unlock(pin: "1"))
        // The PIN has taken its place.
        screen.endPhone(WorkerLine(BatonError(.userCanceled, "It was cancelled.")))
        screen.refused(WorkerLine(BatonError(.notAuthorized, "The user name or the PIN is wrong.")))
        #expect(screen.face.message == WorkerTexts.of(.english).lockWrongPIN)
        #expect(screen.press(.cancel) == nil && screen.press(.phone) == .unlockByPhone)
        #expect(screen.press(.cancel) == .cancel)
    }

    @Test func `the newest code is shown`() {
        var screen = screen()
        _ = screen.press(.phone)
        // Of a program's attempt, whose place the lock's own takes.
        screen.show(LockCode(hint: "Scan this.", code: "OTHER", end: ""))
        screen.show(Self.code)
        #expect(screen.face.elsewhere == Self.code)
    }

    @Test func `a batond that has lost the PIN has the lock say what is left`() {
        let texts = WorkerTexts.of(.english)
        var screen = screen(hasPhone: false)
        _ = screen.press(.character("1"))
        screen.take(.init(name: "Ana", end: "14:05", hasPIN: false, hasPhone: true))
        #expect(!screen.face.hasKeys && screen.face.typed == 0)
        #expect(screen.face.phone == texts.phoneKey && screen.face.hint == texts.lockPhoneHint)
        // It may have been lost while it was typed.
        screen.refused(WorkerLine(BatonError(.pinRequired, "This turn has no PIN.")))
        #expect(screen.face.message == texts.lockPhoneHint)
    }

    @Test(arguments: [
        (ErrorCode.accountMismatch, WorkerMessage.heldByAnother), (.providerUnreachable, .providerUnreachable),
        (.providerRejected, .providerRejected), (.agentMissing, .failed), (.notAuthorized, .heldByAnother),
    ])
    func `what a phone came to is said in the worker's language`(code: ErrorCode, message: WorkerMessage) {
        for language in Language.allCases {
            var screen = LockedScreen(
                epoch: 1, .init(name: "Ana", end: "", hasPIN: false, hasPhone: true), language: language)
            _ = screen.press(.phone)
            screen.endPhone(WorkerLine(BatonError(code, "A text in English.")))
            #expect(screen.face.message == WorkerTexts.of(language)[message])
            _ = screen.press(.phone)
            #expect(screen.face.message.isEmpty)
        }
    }

    @Test func `a wrong PIN is called that, and who gives up is told nothing`() {
        var screen = screen()
        _ = screen.press(.character("1"))
        #expect(screen.press(.enter) == .unlock(pin: "1"))
        #expect(screen.press(.phone) == nil)
        screen.refused(WorkerLine(BatonError(.notAuthorized, "The user name or the PIN is wrong.")))
        #expect(screen.face.message == WorkerTexts.of(.english).lockWrongPIN && screen.face.typed == 0)
        _ = screen.press(.phone)
        screen.endPhone(WorkerLine(BatonError(.userCanceled, "The caller cancelled it.")))
        #expect(screen.face.message.isEmpty)
    }
}
