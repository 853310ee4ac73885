/// A message for a worker, by the name of its text in `WorkerTexts`.
public enum WorkerMessage: String, Sendable, CaseIterable {
    case wrongPIN, heldByAnother, busy, noWorker, providerUnreachable, providerRejected, noSignInWaits, noAnswer, failed
    case choosePIN
}
