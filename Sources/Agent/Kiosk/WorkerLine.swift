import BatonContract
import Presentation
import Vocabulary

/// What a worker is told about what they asked for.
struct WorkerLine: Sendable, Equatable {
    /// As the page takes it: the name of a text that it has, or the text itself; empty: all is well.
    let pageText: String
    /// With which the bus refused; nil: it did not.
    let error: ErrorCode?

    private init(_ pageText: String, _ error: ErrorCode? = nil) { (self.pageText, self.error) = (pageText, error) }

    /// All is well.
    static let none = WorkerLine("")
    /// In the language of the page.
    static func message(_ message: WorkerMessage) -> WorkerLine { WorkerLine(message.rawValue) }
    /// In English, such as why an app was not started.
    static func plain(_ text: String) -> WorkerLine { WorkerLine(text) }

    /// - Parameter refusal: Of a call that the page made.
    init(_ refusal: BatonError) {
        let message: WorkerMessage? =
            switch refusal.code {
            case .notAuthorized: .wrongPIN
            case .accountMismatch, .alreadySignedIn: .heldByAnother
            case .signingIn, .signingOut: .busy
            case .notSignedIn: .noWorker
            case .pinRequired: .choosePIN
            case .providerUnreachable: .providerUnreachable
            case .providerRejected: .providerRejected
            default: nil
            }
        let text = refusal.code == .userCanceled ? "" : message?.rawValue ?? refusal.message
        self.init(text, refusal.code)
    }

    func says(_ message: WorkerMessage) -> Bool { pageText == message.rawValue }
}
