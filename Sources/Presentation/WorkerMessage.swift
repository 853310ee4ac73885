/// A message for a worker, by the name of its text in `WorkerTexts`.
public enum WorkerMessage: String, Sendable, CaseIterable {
    case wrongPIN, heldByAnother, busy, noWorker, providerUnreachable, providerRejected, noSignInWaits, noAnswer, failed
    case choosePIN
}

extension WorkerTexts {
    public subscript(message: WorkerMessage) -> String {
        switch message {
        case .wrongPIN: wrongPIN
        case .heldByAnother: heldByAnother
        case .busy: busy
        case .noWorker: noWorker
        case .providerUnreachable: providerUnreachable
        case .providerRejected: providerRejected
        case .noSignInWaits: noSignInWaits
        case .noAnswer: noAnswer
        case .failed: failed
        case .choosePIN: choosePIN
        }
    }
}
