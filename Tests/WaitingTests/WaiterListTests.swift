import Synchronization
import Testing
import Waiting

@Suite(.timeLimit(.minutes(1))) struct WaiterListTests {
    private let list = WaiterList<Int>()
    /// A word for each task that has entered the list.
    private let entered = AsyncStream.makeStream(of: WaiterList<Int>.Place.self)

    /// A task that waits, and is in the list when this returns.
    private func waiting(_ cancellable: Bool = true) async throws -> (Task<Int?, Never>, WaiterList<Int>.Place) {
        let (list, news) = (list, entered.continuation)
        let task = Task {
            if cancellable { return await list.waitUnlessCancelled(enrolled: { news.yield($0) }) }
            return await list.wait(enrolled: { news.yield($0) })
        }
        var places = entered.stream.makeAsyncIterator()
        return (task, try #require(await places.next()))
    }

    @Test func `all that wait are woken with the same value, and none is left`() async throws {
        let tasks = [try await waiting().0, try await waiting(false).0, try await waiting().0]
        #expect(list.count == 3)
        list.wakeAll(7)
        for task in tasks { #expect(await task.value == 7) }
        #expect(list.count == 0)
    }

    @Test func `they are woken one by one in the order in which they came`() async throws {
        let (first, second) = (try await waiting().0, try await waiting(false).0)
        list.wakeFirst(1)
        #expect(await first.value == 1)
        list.wakeFirst(2)
        #expect(await second.value == 2)
        var isEmpty = false
        list.wakeFirst(3, otherwise: { isEmpty = true })
        #expect(isEmpty)
    }

    @Test func `a task that is cancelled leaves the list, and waking it afterwards wakes nobody`() async throws {
        let (task, place) = try await waiting()
        let (other, _) = try await waiting()
        task.cancel()
        #expect(await task.value == nil)
        #expect(list.count == 1)
        list.wake(place, 1)
        list.wakeFirst(2)
        #expect(await other.value == 2)
    }

    @Test func `a task that was cancelled before does not begin to wait, but takes what is known`() async {
        let list = list
        let task = Task { () -> [Int?] in
            withUnsafeCurrentTask { $0?.cancel() }
            return [await list.waitUnlessCancelled(), await list.waitUnlessCancelled(unless: { 5 })]
        }
        #expect(await task.value == [nil, 5])
        #expect(list.count == 0)
    }

    @Test func `a steady wait outlasts the cancellation`() async throws {
        let (task, place) = try await waiting(false)
        task.cancel()
        #expect(list.count == 1)
        list.wake(place, 4)
        #expect(await task.value == 4)
    }

    @Test func `what is known already is not waited for`() async {
        #expect(await list.wait(unless: { 3 }, enrolled: { _ in Issue.record("it waits") }) == 3)
        #expect(list.count == 0)
    }

    @Test func `only the task in that place is woken, and once`() async throws {
        let (first, place) = try await waiting()
        let (second, _) = try await waiting()
        list.wake(place, 1)
        list.wake(place, 2)
        #expect(await first.value == 1)
        #expect(list.count == 1)
        list.wakeAll(3)
        #expect(await second.value == 3)
    }

    private final class Change: Sendable {
        private let isPublished = Atomic(false)

        var isThere: Bool { isPublished.load(ordering: .acquiring) }

        func publish() { isPublished.store(true, ordering: .releasing) }
    }

    /// A wake that is lost would leave a task waiting for ever, and a second one would end the process.
    @Test func `a change that is published and then announced is missed by none, cancelled or not`() async {
        for round in 0..<200 {
            let list = WaiterList<Void>()
            let change = Change()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask { @concurrent in
                        let task = Task { @concurrent in
                            if number % 2 == 0 {
                                await list.wait(unless: { change.isThere ? () : nil })
                            } else {
                                _ = await list.waitUnlessCancelled(unless: { change.isThere ? () : nil })
                            }
                        }
                        if number % 3 == round % 3 { task.cancel() }
                        await task.value
                    }
                }
                group.addTask { @concurrent in
                    change.publish()
                    list.wakeAll()
                }
            }
            #expect(list.count == 0)
        }
    }
}
