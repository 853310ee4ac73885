import Testing

@testable import DevelopmentProvider

@Suite struct BoundedStoreTests {
    @Test func `When it is full the oldest go and the newest stay`() {
        var store = BoundedStore<Int>(capacity: 100)
        for number in 0..<10_000 {
            store.insert(number, for: "\(number)", expires: 1000, now: 0)
            #expect(store.live(now: 0).count <= 100)
        }
        #expect(store.value("9999", now: 0) == 9999 && store.value("0", now: 0) == nil)
        #expect(store.live(now: 0).count >= 80)
    }

    @Test func `What has expired is gone and makes room before anything that lives`() {
        var store = BoundedStore<Int>(capacity: 10)
        store.insert(0, for: "long", expires: 1000, now: 0)
        for number in 1..<10 { store.insert(number, for: "\(number)", expires: 10, now: 0) }
        #expect(store.value("1", now: 9) == 1 && store.value("1", now: 10) == nil)
        for number in 10..<15 { store.insert(number, for: "\(number)", expires: 100, now: 20) }
        #expect(store.value("long", now: 20) == 0 && store.live(now: 20).count == 6)
    }

    @Test func `Removing and changing leave no trace of what was`() {
        var store = BoundedStore<Int>(capacity: 10)
        for number in 0..<1000 {
            store.insert(number, for: "\(number)", expires: 100, now: 0)
            #expect(store.change("\(number)") { $0 += 1 })
            #expect(store.remove("\(number)", now: 0) == number + 1)
        }
        #expect(store.live(now: 0).isEmpty && !store.change("1") { _ in })
    }
}
