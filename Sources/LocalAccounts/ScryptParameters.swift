/// The cost of one scrypt computation.
public struct ScryptParameters: Sendable, Hashable {
    /// The logarithm (base 2) of the number of rounds.
    public let logRounds: Int
    /// The block size; memory is 128 bytes × block size × rounds.
    public let blockSize: Int
    /// How many computations are chained.
    public let parallelism: Int

    /// 32 MiB and about a tenth of a second on a small terminal.
    public static let standard = ScryptParameters(logRounds: 15, blockSize: 8, parallelism: 1, checked: ())

    /// Nil when the parameters are out of bounds: above 128 MiB, above eight times the standard work, or senseless.
    public init?(logRounds: Int, blockSize: Int, parallelism: Int) {
        guard (1...20).contains(logRounds), (1...16).contains(blockSize), (1...8).contains(parallelism) else {
            return nil
        }
        let units = blockSize << logRounds
        // The library adds no room for chained blocks when there is one lane only; one page covers block size 16.
        guard units << 7 <= 128 << 20, units * parallelism <= 1 << 21 else { return nil }
        self.init(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism, checked: ())
    }

    private init(logRounds: Int, blockSize: Int, parallelism: Int, checked: Void) {
        self.logRounds = logRounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    var text: String { "ln=\(logRounds),r=\(blockSize),p=\(parallelism)" }

    /// Reads exactly the form that `text` writes: no spaces, signs, leading zeros or other order.
    init?(text: some StringProtocol) {
        let names = ["ln", "r", "p"]
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == names.count else { return nil }
        var values: [Int] = []
        for (part, name) in zip(parts, names) {
            guard part.hasPrefix(name + "="), let value = Int(part.dropFirst(name.count + 1)) else { return nil }
            values.append(value)
        }
        guard values.count == 3 else { return nil }
        self.init(logRounds: values[0], blockSize: values[1], parallelism: values[2])
        guard self.text == String(text) else { return nil }
    }
}
