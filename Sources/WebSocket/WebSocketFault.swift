/// Why a WebSocket is of no use any more.
public enum WebSocketFault: Error, Sendable, Equatable {
    case notOpened(String)
    case closed
    /// The peer reads nothing: what was to be sent is dropped, so that it does not pile up here.
    case stalled
}
