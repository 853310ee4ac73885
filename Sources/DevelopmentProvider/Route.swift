/// An endpoint with what the path said beside it.
struct Route: Sendable, Equatable {
    var endpoint: Endpoint
    /// The tenant as it was written: a GUID, a domain, `common`, `organizations` or `consumers`.
    var tenant: String?
    /// B2C's user flow.
    var policy: String?
    /// What follows `/control/`.
    var rest: String = ""
}
