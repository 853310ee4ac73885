import BatonContract
import Presentation
import Vocabulary

/// What a worker is told about what they asked for.
enum WorkerLine: Sendable, Equatable {
    /// All is well.
    case none
    /// In the language of the page.
    case message(WorkerMessage)
    /// In English, such as why an app was not started.
    case plain(String)

    /// As the page takes it: the name of a text that it has, or the text itself.
    var pageText: String {
        switch self {
        case .none: ""
        case .message(let message): message.rawValue
        case .plain(let text): text
        }
    }

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
        self =
            if refusal.code == .userCanceled {
                .none
            } else if let message {
                .message(message)
            } else {
                .plain(refusal.message)
            }
    }
}
