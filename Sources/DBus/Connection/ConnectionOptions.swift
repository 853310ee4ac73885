/// What a connection allows and how it reports what no caller asked for.
public struct ConnectionOptions: Sendable {
    /// The largest message that is sent or received. The reference bus takes 128 MiB for a session and cuts the
    /// connection above 32 MiB on the system bus, unless its configuration says otherwise.
    public var maximumMessageSize = 128 * 1024 * 1024
    /// Descriptors in one message; the system bus takes 16.
    public var maximumDescriptors = 16
    /// Calls of one sender that may be unanswered at a time; the next one gets `LimitsExceeded`.
    public var maximumCallsPerSender = 64
    /// What the unanswered calls of one user may hold; nil: callers are not told apart by their user. Methods that a
    /// `ServedObject` keeps room for are taken beyond it.
    public var shareOfUser: CallShare?
    /// Whether callers that do not read their answers are found out, by what the bus says of its queues. The reference bus
    /// takes nothing more from a connection while 127 MiB of its messages wait to be read, by any peers.
    public var watchesReading = false
    /// Messages of one sender that are taken in a row while those of others wait.
    public var turnLength = 16
    /// Tasks of handlers stay on the bus thread, also while they are on no actor; they must not block it. False: in the pool
    /// of threads.
    public var keepsTasks = false
    /// The one error that callers get when a handler throws something that is not a `BusError`.
    public var failureName: ErrorName = .failed
    public var failureMessage = "The request failed for an internal reason; the log has it."
    /// Called on the bus thread with what a handler threw and was not told to the caller.
    public var onUnexpectedError: @Sendable (_ error: any Error, _ member: String) -> Void = { _, _ in }

    public init() {}

    /// The options that suit the bus.
    public static func standard(for address: BusAddress) -> ConnectionOptions {
        var options = ConnectionOptions()
        if address == .system { options.maximumMessageSize = 32 * 1024 * 1024 }
        return options
    }

    /// A header has names of at most 255 bytes each, a path and what the bus adds.
    var messageLimits: MessageLimits {
        MessageLimits(bytes: max(0, maximumMessageSize - 4096), descriptors: maximumDescriptors)
    }
}
