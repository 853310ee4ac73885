/// A person signed in, in one browser.
struct ProviderSession: Sendable {
    static let cookieName = "baton_development_session"
    static let mostClients = 50

    /// `sid`, which is no secret, unlike the cookie.
    var id: String
    var username: String
    var authTime: Double
    /// Those that got a code in this session.
    var clients: Set<String> = []
}
