import Baton
import Testing

@testable import Baton

@Suite struct TurnWatchTests {
    let ana = Account(id: "local#ana", username: "ana")
    let bo = Account(id: "local#bo", username: "bo")

    private func snapshot(_ phase: Phase, _ epoch: Epoch, _ current: Account? = nil) -> TurnWatch.Snapshot {
        TurnWatch.Snapshot(mode: .shared, phase: phase, epoch: epoch, current: current)
    }

    @Test func `it begins with how the device stands`() {
        var watch = TurnWatch()
        #expect(
            watch.read(snapshot(.inUse, 3, ana)) == [
                .appeared, .modeChanged(.shared), .signedIn(epoch: 3, account: ana), .phaseChanged(.inUse),
            ])
    }

    @Test func `a daemon that is not there is told once`() {
        var watch = TurnWatch()
        #expect(watch.vanished() == [.vanished])
        #expect(watch.vanished().isEmpty)
    }

    @Test func `the same worker who leaves and comes back is seen`() {
        var watch = TurnWatch()
        _ = watch.read(snapshot(.inUse, 3, ana))
        _ = watch.vanished()
        #expect(
            watch.read(snapshot(.inUse, 4, ana)) == [
                .appeared, .modeChanged(.shared), .signedOut(epoch: 3, account: ana, outcome: nil),
                .signedIn(epoch: 4, account: ana), .phaseChanged(.inUse),
            ])
    }

    @Test func `each sign-out is told once, also when batond repeats itself`() {
        var watch = TurnWatch()
        _ = watch.read(snapshot(.inUse, 3, ana))
        #expect(
            watch.signingOut(3, ana, .user, 9) == [.signingOut(epoch: 3, account: ana, reason: .user, deadline: 9)])
        #expect(watch.signingOut(3, ana, .user, 11).isEmpty)
        #expect(watch.signedOut(3, ana, .owed) == [.signedOut(epoch: 3, account: ana, outcome: .owed)])
        #expect(watch.signedOut(3, ana, .owed).isEmpty)
        #expect(watch.signedIn(3, ana).isEmpty)
    }

    @Test func `a sign-out that was missed is told before the next sign-in`() {
        var watch = TurnWatch()
        _ = watch.read(snapshot(.inUse, 3, ana))
        #expect(
            watch.signedIn(4, bo) == [
                .signedOut(epoch: 3, account: ana, outcome: nil), .signedIn(epoch: 4, account: bo),
            ])
    }

    @Test func `a turn whose end was missed ends when the device is found ready`() {
        var watch = TurnWatch()
        _ = watch.read(snapshot(.inUse, 3, ana))
        _ = watch.vanished()
        #expect(
            watch.read(snapshot(.ready, 3)).contains(.signedOut(epoch: 3, account: ana, outcome: nil)))
    }

    @Test func `the end of a turn that was found clearing is told`() {
        var watch = TurnWatch()
        #expect(
            watch.read(snapshot(.clearing, 3, ana)) == [.appeared, .modeChanged(.shared), .phaseChanged(.clearing)])
        #expect(watch.signedIn(3, ana).isEmpty)
        #expect(watch.signedOut(3, ana, .owed) == [.signedOut(epoch: 3, account: ana, outcome: .owed)])
    }

    @Test func `a turn that was over before anybody watched is not told`() {
        var watch = TurnWatch()
        #expect(
            watch.read(snapshot(.ready, 3)) == [.appeared, .modeChanged(.shared), .phaseChanged(.ready)])
        #expect(watch.signedOut(3, ana, .cleared).isEmpty)
    }
}
