import SessionMachine
import Testing
import Vocabulary

struct AutomaticSignOutTests {
    @Test func `an automatic sign-out counts down and can be kept off`() {
        let session = Session()
        session.signIn()
        session.feed(.automaticSignOutDue(.idle))
        #expect(session.machine.deadline == session.now + 60_000_000)
        #expect(session.call { .keepSignedIn($0) } == .done)
        #expect(session.effects.contains(.announce(.automaticSignOutCancelled)))
        session.pass(milliseconds: 60_000)
        #expect(session.machine.phase == .inUse)
        session.feed(.automaticSignOutDue(.idle))
        session.pass(milliseconds: 60_000)
        #expect(session.barrier?.reason == .idle)
    }

    /// A device that nobody has touched for five minutes, of which the countdown is the last.
    private func idle(anyInputStays: Bool = true) -> (Session, epoch: Epoch, since: UInt64) {
        let session = Session { policy in
            policy.idle = 300_000_000
            policy.anyInputStays = anyInputStays
        }
        session.signIn()
        session.pass(milliseconds: 240_000)
        let since = session.now - 240_000_000
        session.agentSays(.idle(session.machine.epoch, since: since))
        return (session, session.machine.epoch, since)
    }

    @Test func `an idle device counts down, and signs its worker out when the time is over`() {
        let (session, epoch, since) = idle()
        #expect(session.machine.deadline == since + 300_000_000)
        // Said again, it is the same.
        session.pass(milliseconds: 1000)
        session.agentSays(.idle(epoch, since: since))
        #expect(session.machine.deadline == since + 300_000_000)
        session.pass(milliseconds: 59_000)
        #expect(session.barrier?.reason == .idle)
    }

    @Test(arguments: [true, false]) func `input ends that countdown where the settings say so`(isEnough: Bool) {
        let (session, epoch, _) = idle(anyInputStays: isEnough)
        session.agentSays(.idle(epoch, since: nil))
        #expect((session.machine.deadline == 0) == isEnough)
        #expect(session.effects.contains(.announce(.automaticSignOutCancelled)) == isEnough)
        #expect(session.call { .keepSignedIn($0) } == .done)
        #expect(session.machine.deadline == 0)
    }

    @Test func `a countdown that an earlier batond began ends when it would have`() {
        let (session, epoch, since) = idle()
        session.pass(milliseconds: 40_000)
        session.restart()
        session.agentComes()
        #expect(session.machine.deadline == 0)
        session.agentSays(.idle(epoch, since: since))
        #expect(session.machine.deadline == since + 300_000_000)
        // Away until it was over: nothing tells whether the worker saw it.
        session.restart()
        session.agentComes()
        session.pass(milliseconds: 60_000)
        session.agentSays(.idle(epoch, since: since))
        #expect(session.machine.deadline == session.now + 60_000_000)
    }

    @Test func `idleness that is heard of late, and a machine that slept, shorten no countdown`() {
        let late = Session { $0.idle = 300_000_000 }
        late.signIn()
        late.pass(milliseconds: 290_000)
        late.agentSays(.idle(late.machine.epoch, since: late.now - 290_000_000))
        #expect(late.machine.deadline == late.now + 60_000_000)

        // Its time goes on in its sleep, and the alarm rings when it wakes up.
        let slept = limited()
        slept.step(3_590_000_000)
        slept.feed(.tick)
        #expect(slept.machine.deadline == slept.now + 60_000_000)
    }

    @Test func `settings that are read anew sign out no worker without a countdown`() {
        let session = Session { $0.idle = 3_600_000_000 }
        session.signIn()
        session.pass(milliseconds: 600_000)
        session.agentSays(.idle(session.machine.epoch, since: session.now - 590_000_000))
        #expect(session.machine.deadline == 0)
        session.change { $0.idle = 300_000_000 }
        session.pass(milliseconds: 1)
        #expect(session.machine.phase == .inUse)
        #expect(session.machine.deadline > session.now + 59_000_000)

        let long = Session()
        long.signIn()
        long.pass(milliseconds: 600_000)
        long.change { $0.longestTurn = 590_000_000 }
        long.pass(milliseconds: 1)
        #expect(long.machine.phase == .inUse)
        #expect(long.machine.deadline > long.now + 59_000_000)
    }

    @Test func `a worker who said that they stay is counted down by the next batond, which does not know it`() {
        let session = limited()
        session.pass(milliseconds: 3_550_000)
        #expect(session.call { .keepSignedIn($0) } == .done)
        session.pass(milliseconds: 100_000)
        session.restart()
        session.agentComes()
        session.pass(milliseconds: 1)
        #expect(session.machine.phase == .inUse)
        #expect(session.machine.deadline > session.now + 59_000_000)
    }

    @Test func `the end of a shift takes the place of a countdown that a touch would end`() {
        let (session, epoch, _) = idle()
        session.pass(milliseconds: 30_000)
        session.feed(.automaticSignOutDue(.expired))
        let deadline = session.machine.deadline
        #expect(deadline == session.now + 60_000_000)
        #expect(session.effects.contains(.announce(.automaticSignOutPending(.expired, deadline: deadline))))
        session.agentSays(.idle(epoch, since: nil))
        #expect(session.machine.deadline == deadline)
        // It is said once.
        session.feed(.automaticSignOutDue(.expired))
        #expect(session.machine.deadline == deadline)
        session.pass(milliseconds: 60_000)
        #expect(session.barrier?.reason == .expired)
    }

    @Test func `after a countdown that was ended, idleness counts from then on`() {
        let session = Session { $0.idle = 300_000_000 }
        session.signIn()
        session.pass(milliseconds: 400_000)
        session.feed(.automaticSignOutDue(.expired))
        session.agentSays(.idle(session.machine.epoch, since: session.now - 200_000_000))
        #expect(session.call { .keepSignedIn($0) } == .done)
        session.pass(milliseconds: 100_000)
        #expect(session.machine.deadline == 0)
    }

    @Test func `a sign-out by hand at the instant at which the countdown ends is one sign-out`() {
        for isFirst in [true, false] {
            let (session, epoch, since) = idle()
            session.pass(milliseconds: 59_999)
            if isFirst { session.signOut() }
            session.pass(milliseconds: 1)
            #expect(session.now == since + 300_000_000)
            if !isFirst { session.signOut() }
            #expect(session.barrier?.epoch == epoch)
            #expect(session.barrier?.reason == (isFirst ? .user : .idle))
            session.finish()
            #expect(session.machine.phase == .ready && session.machine.epoch == epoch)
            #expect(session.answer() != nil)
            #expect(session.machine.deadline == 0)
        }
    }

    @Test func `idleness of another turn, or without a worker, says nothing`() {
        let (session, epoch, since) = idle()
        #expect(session.call { .keepSignedIn($0) } == .done)
        session.agentSays(.idle(epoch.next, since: since))
        #expect(session.machine.deadline == 0)
        session.agentSays(.idle(0, since: since))
        #expect(session.machine.deadline == 0)
        session.signOut()
        session.finish()
        session.agentSays(.idle(epoch, since: since))
        #expect(session.machine.deadline == 0)
    }

    /// A turn that may last an hour.
    private func limited() -> Session {
        let session = Session { $0.longestTurn = 3_600_000_000 }
        session.signIn()
        return session
    }

    @Test func `a turn that lasts too long is counted down, and ends`() {
        let session = limited()
        let began = session.now
        session.pass(milliseconds: 3_539_000)
        #expect(session.machine.deadline == 0)
        session.pass(milliseconds: 1000)
        #expect(session.machine.deadline == began + 3_600_000_000)
        session.pass(milliseconds: 60_000)
        #expect(session.barrier?.reason == .expired)
    }

    @Test func `a worker who stays has as long again`() {
        let session = limited()
        session.pass(milliseconds: 3_550_000)
        #expect(session.call { .keepSignedIn($0) } == .done)
        #expect(session.machine.deadline == 0)
        session.pass(milliseconds: 3_539_000)
        #expect(session.machine.deadline == 0)
        session.pass(milliseconds: 61_000)
        #expect(session.barrier?.reason == .expired)
    }

    @Test func `input alone does not lengthen a turn`() {
        let session = limited()
        session.pass(milliseconds: 3_545_000)
        let deadline = session.machine.deadline
        session.agentSays(.idle(session.machine.epoch, since: nil))
        #expect(session.machine.deadline == deadline && deadline > 0)
    }

    @Test func `the next turn is as long as the first, and none is counted down while no worker has the device`() {
        let session = limited()
        session.pass(milliseconds: 3_500_000)
        session.signOut()
        session.finish()
        session.pass(milliseconds: 3_600_000)
        #expect(session.machine.deadline == 0 && session.machine.phase == .ready)
        session.signIn()
        session.pass(milliseconds: 3_500_000)
        #expect(session.machine.deadline == 0 && session.machine.phase == .inUse)
    }

    @Test func `a batond that is restarted counts from the turn's begin, and never signs out without a countdown`() {
        let session = limited()
        let began = session.now
        session.pass(milliseconds: 3_530_000)
        session.restart()
        session.agentComes()
        session.pass(milliseconds: 20_000)
        #expect(session.machine.deadline == began + 3_600_000_000)
    }

    @Test func `input does not end a countdown that has another reason`() {
        let session = Session { $0.idle = 300_000_000 }
        session.signIn()
        session.feed(.automaticSignOutDue(.expired))
        let deadline = session.machine.deadline
        session.agentSays(.idle(session.machine.epoch, since: session.now))
        session.agentSays(.idle(session.machine.epoch, since: nil))
        #expect(session.machine.deadline == deadline && deadline > 0)
    }
}
