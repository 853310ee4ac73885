import Baton

/// One event of `participate` or `run` as a line of JSON: `event` says which, the other keys are there where they mean
/// something.
struct ParticipantReport: Encodable {
    enum Event: String, Encodable {
        /// The device knows the app.
        case ready
        /// Registering was put off; it is tried again.
        case postponed
        case signedIn = "signed-in"
        case signedInFailed = "signed-in-failed"
        case cleared
        case notCleared = "not-cleared"
        /// The program of `run` runs.
        case started
        /// It ended by itself.
        case ended
    }

    var event: Event
    /// When batonctl heard of it: Unix time in microseconds.
    var time: Int64 = 0
    /// The turn; 0 when the device does not know any more which that was.
    var epoch: Epoch?
    var account: Account?
    var outcome: AcknowledgementOutcome?
    /// What proves, or will prove, that the program is gone with all that it started.
    var proof: String?
    /// How many files and folders a clearing removed.
    var removed: Int?
    /// The program's exit code, or 128 and the signal that ended it.
    var code: Int32?
    /// For people.
    var problem: String?
    /// How many events before this one found no room at the reader's.
    var dropped: Int?

    init(_ event: Event) { self.event = event }
}
