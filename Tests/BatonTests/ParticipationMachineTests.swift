import Baton
import Testing

@testable import Baton

@Suite struct ParticipationMachineTests {
    typealias Machine = ParticipationMachine
    let ana = Account(id: "local#ana", username: "ana", name: "Ana Horvat")
    let bo = Account(id: "local#bo", username: "bo", name: "Bo Larsen")

    private func clearing(_ epoch: Epoch, _ account: Account? = nil, _ reason: SignOutReason = .user)
        -> Machine.Clearing
    {
        Machine.Clearing(epoch: epoch, account: account, reason: reason, deadline: 7)
    }

    private func missed(_ epoch: Epoch, _ account: Account? = nil) -> Machine.Clearing {
        Machine.Clearing(epoch: epoch, account: account, reason: .recovery, deadline: 0)
    }

    /// Registered as instance 1 with journal `j`.
    private func registered(
        epoch: Epoch = 4, phase: Phase = .ready, clearThrough: Epoch = 0, account: Account? = nil,
        memory: ParticipationMemory.Contents = .init(journalID: "j", clearedThrough: 3)
    ) -> (machine: Machine, effects: [Machine.Effect]) {
        var machine = Machine(memory: memory)
        #expect(machine.handle(.appeared(journalID: "j")) == [.register])
        let effects = machine.handle(
            .registered(instance: 1, epoch: epoch, phase: phase, clearThrough: clearThrough, account: account))
        return (machine, effects)
    }

    @Test func `a worker who holds the device is delivered once`() {
        var (machine, effects) = registered(epoch: 5, phase: .inUse, account: ana)
        #expect(effects == [.deliver(epoch: 5, ana)])
        #expect(machine.handle(.signedIn(epoch: 5, account: ana)).isEmpty)
        #expect(machine.handle(.delivered).isEmpty)
        #expect(machine.handle(.signedIn(epoch: 5, account: ana)).isEmpty)
        #expect(!machine.holdsNothing)
    }

    @Test func `a sign-out is cleared, acknowledged, remembered, and the next account asked for`() {
        var (machine, _) = registered()
        #expect(machine.handle(.signedIn(epoch: 5, account: ana)) == [.deliver(epoch: 5, ana)])
        #expect(machine.handle(.delivered).isEmpty)
        #expect(machine.handle(.signingOut(clearing(5, ana))) == [.clear(clearing(5, ana))])
        #expect(machine.handle(.cleared(.cleared)) == [.acknowledge(epoch: 5, instance: 1, .cleared)])
        #expect(
            machine.handle(.acknowledged(epoch: 5, instance: 1, .taken))
                == [.remember(.init(journalID: "j", clearedThrough: 5)), .askAccount])
        #expect(machine.holdsNothing)
        #expect(machine.handle(.account(epoch: 5, nil)).isEmpty)
        #expect(machine.handle(.signedIn(epoch: 6, account: ana)) == [.deliver(epoch: 6, ana)])
    }

    @Test func `a repeated sign-out gets the same answer and is not cleared twice`() {
        var (machine, _) = registered(epoch: 5, phase: .inUse, account: ana)
        _ = machine.handle(.delivered)
        #expect(machine.handle(.signingOut(clearing(5, ana))) == [.clear(clearing(5, ana))])
        #expect(machine.handle(.signingOut(clearing(5, ana))).isEmpty)
        _ = machine.handle(.cleared(.nothingToClear))
        #expect(
            machine.handle(.signingOut(clearing(5, ana)))
                == [.acknowledge(epoch: 5, instance: 1, .nothingToClear)])
    }

    @Test func `after a restart of the daemon in mid-barrier the answer is repeated for the new instance`() {
        var (machine, _) = registered(epoch: 5, phase: .inUse, account: ana)
        _ = machine.handle(.delivered)
        _ = machine.handle(.signingOut(clearing(5, ana)))
        #expect(machine.handle(.vanished).isEmpty)
        #expect(machine.handle(.cleared(.cleared)).isEmpty)
        #expect(machine.handle(.appeared(journalID: "j")) == [.register])
        let again = machine.handle(
            .registered(instance: 2, epoch: 5, phase: .clearing, clearThrough: 5, account: nil))
        #expect(again == [.acknowledge(epoch: 5, instance: 2, .cleared)])
    }

    @Test func `an answer in the name of an instance that was replaced meanwhile is given again`() {
        var (machine, _) = registered(epoch: 5, phase: .inUse, account: ana)
        _ = machine.handle(.delivered)
        #expect(machine.handle(.accountRefused) == [.register])
        // It comes in before the answer to `Register`, which the device gave before it began the sign-out.
        _ = machine.handle(.signingOut(clearing(5, ana)))
        #expect(machine.handle(.cleared(.cleared)) == [.acknowledge(epoch: 5, instance: 1, .cleared)])
        #expect(
            machine.handle(.registered(instance: 2, epoch: 5, phase: .inUse, clearThrough: 0, account: ana)).isEmpty)
        #expect(machine.handle(.acknowledged(epoch: 5, instance: 1, .refused)) == [.register])
        let again = Machine.Event.registered(instance: 3, epoch: 5, phase: .clearing, clearThrough: 5, account: nil)
        #expect(machine.handle(again) == [.acknowledge(epoch: 5, instance: 3, .cleared)])
    }

    @Test func `what was missed is cleared before anything is delivered`() {
        var (machine, effects) = registered(epoch: 6, phase: .inUse, clearThrough: 5)
        #expect(effects == [.clear(missed(5))])
        #expect(machine.handle(.signedIn(epoch: 6, account: bo)).isEmpty)
        #expect(machine.handle(.cleared(.cleared)) == [.acknowledge(epoch: 5, instance: 1, .cleared)])
        #expect(machine.handle(.signedIn(epoch: 6, account: bo)).isEmpty)
        _ = machine.handle(.acknowledged(epoch: 5, instance: 1, .taken))
        #expect(machine.handle(.account(epoch: 6, bo)) == [.deliver(epoch: 6, bo)])
    }

    @Test func `another journal's numbers mean nothing, so the app clears before it registers`() {
        var machine = Machine(memory: .init(journalID: "old", clearedThrough: 99))
        #expect(machine.handle(.appeared(journalID: "j")) == [.clear(missed(0))])
        #expect(machine.handle(.cleared(.cleared)) == [.register])
        #expect(machine.memory.clearedThrough == 0)
        let effects = machine.handle(
            .registered(instance: 1, epoch: 7, phase: .ready, clearThrough: 0, account: nil))
        #expect(effects == [.remember(.init(journalID: "j", clearedThrough: 0))])
    }

    @Test func `what a device without its journal had cleared says nothing about the turn that it finds again`() {
        var machine = Machine(memory: .init())
        #expect(machine.handle(.appeared(journalID: "")) == [.register])
        var effects = machine.handle(
            .registered(instance: 1, epoch: 5, phase: .quarantined, clearThrough: 5, account: nil))
        #expect(effects == [.clear(missed(5))])
        _ = machine.handle(.cleared(.cleared))
        _ = machine.handle(.acknowledged(epoch: 5, instance: 1, .taken))
        _ = machine.handle(.vanished)
        #expect(machine.handle(.appeared(journalID: "j")) == [.clear(missed(0))])
        #expect(machine.handle(.cleared(.cleared)) == [.register])
        #expect(machine.memory.clearedThrough == 0)
        effects = machine.handle(.registered(instance: 2, epoch: 5, phase: .inUse, clearThrough: 0, account: ana))
        #expect(effects == [.remember(.init(journalID: "j", clearedThrough: 0)), .deliver(epoch: 5, ana)])
        _ = machine.handle(.delivered)
        #expect(machine.handle(.signingOut(clearing(5, ana))) == [.clear(clearing(5, ana))])
    }

    @Test func `an app that cannot clear another journal's turn does not register`() {
        var machine = Machine(memory: .init(journalID: "old", clearedThrough: 99))
        _ = machine.handle(.appeared(journalID: "j"))
        #expect(machine.handle(.cleared(.failed)).isEmpty)
    }

    @Test func `a failed clearing is said, and nothing is delivered after it`() {
        var (machine, _) = registered(epoch: 5, phase: .inUse, account: ana)
        _ = machine.handle(.delivered)
        _ = machine.handle(.signingOut(clearing(5, ana)))
        #expect(machine.handle(.cleared(.failed)) == [.acknowledge(epoch: 5, instance: 1, .failed)])
        #expect(machine.handle(.acknowledged(epoch: 5, instance: 1, .taken)).isEmpty)
        #expect(machine.handle(.signedOut(epoch: 5)).isEmpty)
        #expect(machine.handle(.signedIn(epoch: 6, account: bo)).isEmpty)
        #expect(!machine.holdsNothing)
        #expect(machine.memory.clearedThrough == 3)
    }

    @Test func `a refused acknowledgement leads to a new registration`() {
        var (machine, _) = registered(epoch: 5, phase: .inUse, account: ana)
        _ = machine.handle(.delivered)
        _ = machine.handle(.signingOut(clearing(5, ana)))
        _ = machine.handle(.cleared(.cleared))
        #expect(machine.handle(.acknowledged(epoch: 5, instance: 1, .refused)) == [.register])
        #expect(machine.memory.clearedThrough == 3)
    }

    @Test func `clearing waits until the sign-in function has returned, which is cancelled`() {
        var (machine, effects) = registered(epoch: 5, phase: .inUse, account: ana)
        #expect(effects == [.deliver(epoch: 5, ana)])
        #expect(machine.handle(.signingOut(clearing(5, ana))) == [.cancelDelivery])
        #expect(machine.handle(.signingOut(clearing(5, ana))).isEmpty)
        #expect(machine.handle(.delivered) == [.clear(clearing(5, ana))])
    }

    @Test func `a sign-out that was heard of only when it was over is cleared and acknowledged`() {
        var (machine, _) = registered(epoch: 5, phase: .inUse, account: ana)
        _ = machine.handle(.delivered)
        #expect(machine.handle(.signedOut(epoch: 5)) == [.clear(missed(5, ana))])
    }

    @Test func `the next worker's sign-in tells that a sign-out was missed`() {
        var (machine, _) = registered(epoch: 5, phase: .inUse, account: ana)
        _ = machine.handle(.delivered)
        #expect(machine.handle(.signedIn(epoch: 6, account: bo)) == [.register])
        let effects = machine.handle(
            .registered(instance: 2, epoch: 6, phase: .inUse, clearThrough: 5, account: nil))
        #expect(effects == [.clear(missed(5, ana))])
    }

    @Test func `signals that overtake the answer to Register count after it`() {
        var machine = Machine(memory: .init(journalID: "j", clearedThrough: 4))
        _ = machine.handle(.appeared(journalID: "j"))
        #expect(machine.handle(.signedIn(epoch: 5, account: ana)).isEmpty)
        #expect(machine.handle(.signingOut(clearing(5, ana))).isEmpty)
        let effects = machine.handle(
            .registered(instance: 1, epoch: 4, phase: .ready, clearThrough: 0, account: nil))
        #expect(effects == [.deliver(epoch: 5, ana), .cancelDelivery])
        #expect(machine.handle(.delivered) == [.clear(clearing(5, ana))])
    }

    @Test func `signals of a turn that was over at the registration are stale`() {
        var machine = Machine(memory: .init(journalID: "j", clearedThrough: 4))
        _ = machine.handle(.appeared(journalID: "j"))
        _ = machine.handle(.signedIn(epoch: 5, account: ana))
        _ = machine.handle(.signingOut(clearing(5, ana)))
        _ = machine.handle(.signedOut(epoch: 5))
        let effects = machine.handle(
            .registered(instance: 1, epoch: 5, phase: .ready, clearThrough: 0, account: nil))
        #expect(effects.isEmpty)
    }

    @Test func `a sign-in signal that comes after its turn was cleared brings nobody back`() {
        var (machine, _) = registered()
        #expect(machine.handle(.signingOut(clearing(5, ana))) == [.clear(clearing(5, ana))])
        _ = machine.handle(.cleared(.nothingToClear))
        _ = machine.handle(.acknowledged(epoch: 5, instance: 1, .taken))
        #expect(machine.handle(.signedIn(epoch: 5, account: ana)).isEmpty)
        #expect(machine.handle(.account(epoch: 5, ana)).isEmpty)
    }

    @Test func `an app that is held for clean and is not clears all the same`() {
        var (machine, _) = registered(epoch: 5, phase: .inUse, account: ana)
        _ = machine.handle(.delivered)
        _ = machine.handle(.vanished)
        _ = machine.handle(.appeared(journalID: "j"))
        let effects = machine.handle(
            .registered(instance: 2, epoch: 6, phase: .inUse, clearThrough: 0, account: bo))
        #expect(effects == [.clear(missed(5, ana))])
        #expect(machine.handle(.cleared(.cleared)) == [.askAccount])
        #expect(machine.handle(.account(epoch: 6, bo)) == [.deliver(epoch: 6, bo)])
    }

    @Test func `the same turn goes on over a restart of the daemon`() {
        var (machine, _) = registered(epoch: 5, phase: .inUse, account: ana)
        _ = machine.handle(.delivered)
        _ = machine.handle(.vanished)
        _ = machine.handle(.appeared(journalID: "j"))
        let effects = machine.handle(
            .registered(instance: 2, epoch: 5, phase: .inUse, clearThrough: 0, account: ana))
        #expect(effects.isEmpty)
    }
}
