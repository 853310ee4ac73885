import Synchronization

/// A decoder that takes any bytes, and how often it was given some.
final class Way: Sendable {
    let name: String
    private let run: @Sendable ([UInt8]) -> Void
    private let count = Atomic<Int>(0)

    init(_ name: String, _ run: @escaping @Sendable ([UInt8]) -> Void) {
        self.name = name
        self.run = run
    }

    var executions: Int { count.load(ordering: .relaxed) }

    func take(_ bytes: [UInt8]) {
        count.add(1, ordering: .relaxed)
        run(bytes)
    }
}
