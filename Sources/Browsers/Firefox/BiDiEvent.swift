/// What the browser reports, as far as it is used. Pages decide what stands in it.
enum BiDiEvent: Sendable {
    case request(NetworkEvent)
    case response(NetworkEvent)
    case failure(NetworkEvent)
    case contextCreated(ContextEvent)
    case contextDestroyed(ContextEvent)
    case navigation(ContextEvent)
    case committed(ContextEvent)

    static let requestName = "network.beforeRequestSent"
    static let responseName = "network.responseStarted"
    static let failureName = "network.fetchError"
    static let createdName = "browsingContext.contextCreated"
    static let destroyedName = "browsingContext.contextDestroyed"
    static let navigationName = "browsingContext.navigationStarted"
    static let committedName = "browsingContext.navigationCommitted"
}

/// A request on its way; a redirected one comes once for each of its addresses, with the same id.
struct NetworkEvent: Decodable, Sendable {
    struct Request: Decodable, Sendable {
        var request: String
        var url: String
        var method: String
        var headers: [BiDi.Network.Header]
        var bodySize: Int?
        /// `document`, `iframe`, `image`; empty for fetch.
        var destination: String?
    }

    /// The tab or frame; nil for the browser's own.
    var context: String?
    /// Nil unless a page is loaded.
    var navigation: String?
    /// Whether it waits for us.
    var isBlocked: Bool
    var request: Request
}

struct ContextEvent: Decodable, Sendable {
    var context: String
    var url: String?
    /// Of a frame.
    var parent: String?
    /// Of a window that a page opened.
    var originalOpener: String?
}
