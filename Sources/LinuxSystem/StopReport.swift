/// What stopping an app's processes came to.
public struct StopReport: Sendable, Equatable {
    /// How many processes were ended.
    public var ended: Int
    /// The pids of those that could not be proven gone, sorted.
    public var unproven: [Int32]
    /// A fault besides those, such as an unreadable `/proc`.
    public var fault: String?

    public init(ended: Int, unproven: [Int32], fault: String? = nil) {
        self.ended = ended
        self.unproven = unproven
        self.fault = fault
    }

    public var isProven: Bool {
        unproven.isEmpty && fault == nil
    }

    /// Nil when every process is proven gone.
    public var explanation: String? {
        if let fault { return fault }
        if unproven.isEmpty { return nil }
        let named = unproven.prefix(8).map(String.init).joined(separator: ", ")
        return "not proven gone: \(unproven.count == 1 ? "process" : "processes") \(named)"
            + (unproven.count > 8 ? " and \(unproven.count - 8) more" : "")
    }
}
