import BusTesting
import Display
import Testing
import Vocabulary

/// ext-idle-notify-v1 as a compositor may speak it.
@Suite(.timeLimit(.minutes(1))) struct IdleNotifyTests {
    private func isIdle(_ event: IdleWatch.Event?) -> Bool {
        if case .idle(let since)? = event { since > 0 } else { false }
    }

    @Test(arguments: [
        (1, IdleSource.idleNotify, "idle 1 700"), (2, .inputIdleNotify, "input-idle 1 700"),
        (7, .inputIdleNotify, "input-idle 1 700"),
    ])
    func `from its second version on, programs that keep the screen on are not minded`(
        version: Int, source: IdleSource, request: String
    ) async throws {
        let idler = try await ScriptedIdler(version: version)
        #expect(await idler.session.idleSource() == source)
        let watch = try #require(idler.session.watchIdle(after: .milliseconds(700), since: 0))
        #expect(await idler.request() == request)
        var events = watch.events.makeAsyncIterator()
        try idler.order("idled 1")
        #expect(isIdle(await events.next()))
        try idler.order("resumed 1")
        #expect(await events.next() == .active)
        idler.kill()
        #expect(await events.next() == nil)
    }

    @Test func `a device with several seats is idle when none of them has input`() async throws {
        let idler = try await ScriptedIdler(version: 2)
        try idler.order("add 2")
        let watch = try #require(idler.session.watchIdle(after: .milliseconds(700), since: 0))
        var asked: Set<String> = []
        for _ in 1...2 { asked.insert(try #require(await idler.request())) }
        #expect(asked == ["input-idle 1 700", "input-idle 2 700"])
        var events = watch.events.makeAsyncIterator()
        // Were one seat enough, the second word would be no news, nor the third.
        try idler.order("idled 1", "idled 2", "resumed 2")
        #expect(isIdle(await events.next()))
        #expect(await events.next() == .active)
        // The seat that had input goes, and leaves one that has none.
        try idler.order("remove 2")
        #expect(isIdle(await events.next()))
        #expect(await idler.request() == "left 2")
        // One that comes has input until it is said to have none.
        try idler.order("add 3")
        #expect(await idler.request() == "input-idle 3 700")
        #expect(await events.next() == .active)
        try idler.order("idled 3")
        #expect(isIdle(await events.next()))
    }

    @Test func `words without sense change nothing`() async throws {
        let idler = try await ScriptedIdler(version: 2)
        let watch = try #require(idler.session.watchIdle(after: .milliseconds(700), since: 0))
        #expect(await idler.request() == "input-idle 1 700")
        var events = watch.events.makeAsyncIterator()
        try idler.order("resumed 1", "remove 77", "idled 1", "idled 1", "remove 1", "remove 1", "add 1")
        #expect(isIdle(await events.next()))
        // Without a seat there is nothing that could be idle.
        #expect(await events.next() == .active)
        #expect(await idler.request() == "left 1")
        #expect(await idler.request() == "input-idle 1 700")
        try idler.order("idled 1")
        #expect(isIdle(await events.next()))
    }

    @Test func `a watch that is stopped leaves the compositor`() async throws {
        let idler = try await ScriptedIdler(version: 2)
        let watch = try #require(idler.session.watchIdle(after: .seconds(3600), since: 0))
        #expect(await idler.request() == "input-idle 1 3600000")
        watch.stop()
        var events = watch.events.makeAsyncIterator()
        #expect(await events.next() == nil)
        #expect(await idler.request() == "left 1")
    }
}
