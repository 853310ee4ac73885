/// An error answer of OAuth (RFC 6749, section 5.2), with Microsoft's number where one of its kinds is played.
struct OAuthFault: Error, Equatable {
    var code: String
    /// Constant sentences only: what a client sent is not repeated.
    var description: String
    var number: Int
    var status: Int
    var suberror: String?
    /// What the next authorization request must ask for: a JSON object as text.
    var claims: String?

    init(
        _ code: String, _ description: String, number: Int = 90_014, status: Int = 400, suberror: String? = nil,
        claims: String? = nil
    ) {
        self.code = code
        self.description = description
        self.number = number
        self.status = status
        self.suberror = suberror
        self.claims = claims
    }

    static func invalidRequest(_ description: String) -> Self { Self("invalid_request", description, number: 900_144) }
    static func invalidGrant(_ description: String, number: Int = 70_000) -> Self {
        Self("invalid_grant", description, number: number)
    }
    static let invalidClient = Self(
        "invalid_client", "The client could not be authenticated.", number: 7_000_215, status: 401)
    static let notFound = Self("not_found", "There is nothing here.", status: 404)
    static let wrongMethod = Self("invalid_request", "The method is wrong.", number: 900_561, status: 405)
}
