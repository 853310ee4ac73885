import WebText

/// Microsoft's `client_info`: an account in its own tenant, which for a guest is another one than the ID token's.
///
/// It is not signed: it comes from the token endpoint itself, beside the ID token.
public struct ClientInfo: Hashable, Sendable {
    /// `uid`: the object id, on Azure AD B2C with the policy behind it.
    public var objectID: String
    /// `utid`: a GUID in lower case.
    public var tenant: String

    public init(objectID: String, tenant: String) {
        self.objectID = objectID
        self.tenant = tenant
    }

    /// Nil when it is not what Microsoft writes: Base64URL of a JSON object.
    init?(_ text: String?) {
        guard let text, text.utf8.count <= 4096, let bytes = Base64URL.decode(text.utf8),
            let members = JSONValue(bytes),
            let uid = IdentityText.identifier(members["uid"]?.string, longest: 128), !uid.contains(" "),
            let utid = members["utid"]?.string, IdentityText.isGUID(utid)
        else { return nil }
        self.init(objectID: uid.lowercased(), tenant: utid.lowercased())
    }
}
