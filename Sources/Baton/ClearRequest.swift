public import BatonContract
public import DBus

/// What an app has to clear, and how long it may take.
public struct ClearRequest: Sendable {
    /// The turn to clear, and all before it; 0 when the device does not know any more which that was.
    public let epoch: Epoch
    /// Whose turn it was; nil when this app does not know, because it missed the sign-out.
    public let account: Account?
    /// `recovery`: the sign-out itself was missed. Nil: batond, which is newer, gave one that this version does not know.
    public let reason: SignOutReason?
    /// When the device contains this app if it has not answered, in microseconds of CLOCK_MONOTONIC; nil: not known,
    /// so be quick.
    public let deadline: UInt64?
    private let remarks: ClearingRemarks
    private let extending: @Sendable (Epoch, UInt32) async throws -> UInt64

    init(
        _ clearing: ParticipationMachine.Clearing, _ remarks: ClearingRemarks,
        extending: @escaping @Sendable (Epoch, UInt32) async throws -> UInt64
    ) {
        epoch = clearing.epoch
        account = clearing.account
        reason = clearing.reason
        deadline = clearing.deadline == 0 ? nil : clearing.deadline
        self.remarks = remarks
        self.extending = extending
    }

    /// Says something beside the outcome, such as what was found, for the receipt; the last words of a clearing count.
    ///
    /// - Parameter details: The device takes 64 KiB and keeps 4 KiB; only the worker of that turn and administrators
    ///   see it.
    public func report(_ details: VariantDictionary) {
        remarks.set(details, for: epoch)
    }

    /// Asks for more time, at most twice.
    ///
    /// - Returns: The new deadline, which may be nearer than what was asked for.
    /// - Throws: `limitExceeded` at the third time, `staleEpoch` when the sign-out does not wait for this app.
    @discardableResult
    public func extend(by duration: Duration) async throws -> UInt64 {
        let (seconds, attoseconds) = duration.components
        guard duration > .zero, seconds < Int64(UInt32.max / 1000) else {
            throw BatonError(.invalidArgument, "the duration must be more than 0 and less than some weeks")
        }
        return try await extending(epoch, UInt32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    }
}
