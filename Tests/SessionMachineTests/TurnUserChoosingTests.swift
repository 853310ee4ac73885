import SessionMachine
import Testing
import Vocabulary

/// As whom the next turn runs.
struct TurnUserChoosingTests: TurnUsers {
    @Test func `a user is chosen at the start, and the next one in the turn`() {
        let session = session(agent: false)
        #expect(choice(session) == .some(nil))
        choose(session, 0)
        #expect(session.journal.device.nextUser == Self.users[0])
        session.agentComes()
        #expect(session.requests.contains(.prepareTurn(Self.users[0], beside: nil)))
        session.signIn()
        #expect(session.machine.turnUser == Self.users[0])
        #expect(session.journal.device.nextUser == nil)
        #expect(begunAs(session) == Self.users[0])
        // The one whose turn goes on is not looked at, since that would end it.
        #expect(session.effects.contains(.chooseTurnUser(after: Self.users[0], beside: Self.users[0])))
        choose(session, 1)
        #expect(session.requests == [.prepareTurn(Self.users[1], beside: 1)])
        session.signOut()
        session.agentSays(.browserSignedOut(1, .clean, ""))
        #expect(!session.requests.contains(.prepareTurn(Self.users[1], beside: nil)))
        session.feed(.turnEnded(1, .empty))
        #expect(session.requests.contains(.prepareTurn(Self.users[1], beside: nil)))
        session.agentSays(.sharedHoldersCleared(1, []))
        #expect(choice(session) == nil)
    }

    @Test func `a slice that is not empty shows no page of the next turn`() {
        let session = session()
        choose(session, 0)
        session.signIn()
        choose(session, 1)
        session.signOut()
        session.agentSays(.browserSignedOut(1, .clean, ""))
        session.feed(.turnEnded(1, .populated))
        #expect(!session.requests.contains(.prepareTurn(Self.users[1], beside: nil)))
    }

    @Test func `a choice that a sign-out overtakes is told when that has ended`() {
        let session = session()
        choose(session, 0)
        session.signIn()
        session.signOut()
        choose(session, 1)
        #expect(session.requests == [])
        session.agentSays(.browserSignedOut(1, .clean, ""))
        session.feed(.turnEnded(1, .empty))
        session.agentSays(.sharedHoldersCleared(1, []))
        #expect(choice(session) == nil)
        #expect(session.requests.contains(.prepareTurn(Self.users[1], beside: nil)))
    }

    @Test func `the user whose turn goes on is not the next one's, and another is looked for at its end`() {
        let session = session()
        choose(session, 0)
        session.signIn()
        choose(session, 0)
        #expect(session.journal.device.nextUser == nil)
        #expect(session.machine.phase == .inUse)
        session.signOut()
        session.agentSays(.browserSignedOut(1, .clean, ""))
        session.feed(.turnEnded(1, .empty))
        session.agentSays(.sharedHoldersCleared(1, []))
        #expect(choice(session) == Self.users[0])
    }

    @Test func `a sign-in that succeeds before a user is chosen takes the device with that user`() {
        let session = session()
        #expect(session.signIn() == nil)
        #expect(session.machine.phase == .signingIn)
        choose(session, 2)
        #expect(session.answer() == .signedIn(1, Session.ana))
        #expect(session.machine.turnUser == Self.users[2])
    }

    @Test func `a sign-in that opened its page and failed takes its user with it`() {
        let session = session()
        choose(session, 0)
        session.call { .signIn($0, ":1.0") }
        session.feed(.signInUsesBrowser(1))
        session.feed(.signInFailed(1, .providerRejected("no")))
        #expect(choice(session) == nil)
        session.agentSays(.signInBrowserClosed(clean: true))
        #expect(choice(session) == Self.users[0])
        #expect(session.journal.device.nextUser == nil)
        choose(session, 1)
        #expect(session.requests == [.prepareTurn(Self.users[1], beside: nil)])
        session.signIn()
        #expect(session.machine.turnUser == Self.users[1])
    }

    @Test func `one that opened no page leaves the start page as it is`() {
        let session = session()
        choose(session, 0)
        session.call { .signIn($0, ":1.0") }
        session.feed(.signInFailed(1, .wrongCredentials))
        #expect(session.journal.device.nextUser == Self.users[0])
    }

    @Test func `a supervisor that starts in the middle of a sign-in's page chooses another user`() {
        let session = session()
        choose(session, 0)
        session.call { .signIn($0, ":1.0") }
        session.feed(.signInUsesBrowser(1))
        session.restart()
        #expect(choice(session) == Self.users[0])
        choose(session, 1)
        session.agentComes()
        session.agentSays(.signInBrowserClosed(clean: true))
        #expect(session.requests == [.prepareTurn(Self.users[1], beside: nil)])
        #expect(session.journal.device.nextUser == Self.users[1])
    }

    @Test func `without a clean user the device is quarantined, and a sign-out looks again`() {
        let session = session()
        let waiting = session.signIn()
        #expect(waiting == nil)
        choose(session, nil)
        #expect(session.answer()?.refusal == .quarantined)
        #expect(session.machine.phase == .quarantined)
        #expect(session.machine.sealed == .noTurnUser)
        #expect(session.signOut() == nil)
        #expect(choice(session) == .some(nil))
        choose(session, nil)
        #expect(session.machine.phase == .quarantined)
        #expect(session.answer() != nil)
        #expect(session.call { .endQuarantine($0) } == nil)
        choose(session, 1)
        #expect(session.machine.phase == .ready)
        #expect(session.answer() == .receipt(nil))
    }

    @Test func `a page that was opened before its user was chosen marks that user, too`() {
        let session = session()
        session.call { .signIn($0, ":1.0") }
        session.feed(.signInUsesBrowser(1))
        choose(session, 0)
        session.feed(.signInFailed(1, .providerRejected("no")))
        session.agentSays(.signInBrowserClosed(clean: true))
        #expect(choice(session) == Self.users[0])
        #expect(session.journal.device.nextUser == nil)
    }
}
