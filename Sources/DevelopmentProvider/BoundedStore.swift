/// Values that expire, and of which only so many are kept: when full, the oldest tenth goes.
struct BoundedStore<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        var expires: Double
    }

    private let capacity: Int
    private var entries: [String: Entry] = [:]
    /// In order of insertion; removed keys stay until the next clearing.
    private var order: [String] = []

    init(capacity: Int) { self.capacity = max(capacity, 1) }

    /// - Parameter expires: Seconds since 1970.
    mutating func insert(_ value: Value, for key: String, expires: Double, now: Double) {
        if order.count >= capacity { makeRoom(now: now) }
        if entries[key] == nil { order.append(key) }
        entries[key] = Entry(value: value, expires: expires)
    }

    func value(_ key: String, now: Double) -> Value? {
        guard let entry = entries[key], entry.expires > now else { return nil }
        return entry.value
    }

    /// Changes a value that is there; false when it is not.
    @discardableResult
    mutating func change(_ key: String, _ body: (inout Value) -> Void) -> Bool {
        guard var entry = entries[key] else { return false }
        body(&entry.value)
        entries[key] = entry
        return true
    }

    @discardableResult
    mutating func remove(_ key: String, now: Double) -> Value? {
        guard let entry = entries.removeValue(forKey: key), entry.expires > now else { return nil }
        return entry.value
    }

    mutating func removeAll() {
        entries = [:]
        order = []
    }

    func live(now: Double) -> [(key: String, value: Value)] {
        entries.filter { $0.value.expires > now }.map { ($0.key, $0.value.value) }
    }

    private mutating func makeRoom(now: Double) {
        entries = entries.filter { $0.value.expires > now }
        order.removeAll { entries[$0] == nil }
        guard order.count >= capacity else { return }
        let leaving = order.prefix(capacity / 10 + 1)
        for key in leaving { entries[key] = nil }
        order.removeFirst(leaving.count)
    }
}
