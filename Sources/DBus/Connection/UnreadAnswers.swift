/// How much of what was sent to each caller may still lie at the bus, because the caller has not read it.
struct UnreadAnswers {
    private struct Backlog {
        var bytes = 0
        /// Since the bus was asked; nil: it is not being asked.
        var sentMeanwhile: Int?
        /// Calls that are refused when it reads again.
        var putOff: [PendingAnswer] = []
    }

    /// So much more and the bus is asked.
    private static let unasked = 256 << 10
    /// So much, and the caller's next calls wait.
    private static let most = 4 << 20
    /// So much of all callers, and each has less.
    private static let plenty = 24 << 20
    private static let leastOfPlenty = 64 << 10
    /// The most for all together; below what a bus keeps of one sender.
    private static let mostInAll = 48 << 20
    /// A bus lets a connection wait for 128 answers.
    private static let mostPutOff = 128

    private var callers: [BusName: Backlog] = [:]
    private(set) var total = 0

    /// Whether the caller has so little to read that its calls are taken.
    func isReading(_ caller: BusName) -> Bool {
        let bytes = callers[caller]?.bytes ?? 0
        return bytes < (total < Self.plenty ? Self.most : Self.leastOfPlenty)
    }

    /// Whether so many bytes more can lie at the bus. A little always can.
    func hasRoom(for bytes: Int) -> Bool { bytes <= 4096 || total + bytes <= Self.mostInAll }

    /// - Returns: Whether the bus is to be asked now how much of it was read.
    mutating func sent(_ bytes: Int, to name: BusName) -> Bool {
        var caller = callers[name] ?? Backlog()
        caller.bytes += bytes
        total += bytes
        let isAsked = caller.sentMeanwhile != nil
        if let meanwhile = caller.sentMeanwhile { caller.sentMeanwhile = meanwhile + bytes }
        let isDue = !isAsked && caller.bytes >= (total < Self.plenty ? Self.unasked : Self.leastOfPlenty / 2)
        if isDue { caller.sentMeanwhile = 0 }
        callers[name] = caller
        return isDue
    }

    /// Puts a call off until its caller reads again; more than a bus lets it wait for want no answer.
    mutating func putOff(_ call: PendingAnswer) {
        guard call.expectsReply, callers[call.sender]?.putOff.count ?? 0 < Self.mostPutOff else { return }
        callers[call.sender, default: Backlog()].putOff.append(call)
    }

    /// The bus says how many bytes the caller has not read.
    ///
    /// - Returns: The calls that were put off, when it reads; nil: it is to be asked again.
    mutating func learned(_ unread: Int, of name: BusName) -> [PendingAnswer]? {
        guard var caller = callers[name] else { return [] }
        let bytes = min(caller.bytes, unread + (caller.sentMeanwhile ?? 0))
        total -= caller.bytes - bytes
        caller.bytes = bytes
        let calm = caller.putOff.isEmpty && total < Self.plenty ? Self.unasked : Self.leastOfPlenty / 2
        let calls = caller.putOff
        caller.sentMeanwhile = 0
        if bytes < calm { (caller.sentMeanwhile, caller.putOff) = (nil, []) }
        callers[name] = bytes == 0 && caller.sentMeanwhile == nil ? nil : caller
        return bytes < calm ? calls : nil
    }

    mutating func forget(_ name: BusName) {
        total -= callers.removeValue(forKey: name)?.bytes ?? 0
    }
}
