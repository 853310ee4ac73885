import WebText

/// What a token endpoint demands that the next authorization request asks for: `claims` of its error (Entra ID's claims
/// challenge; OpenID Connect Core, section 5.5, has the form).
///
/// The provider wrote it: it goes to the provider's page and to the app that was refused, and into no log.
public struct DemandedClaims: Hashable, Sendable {
    /// A JSON object.
    public let text: String
    private let members: [String: JSONValue]

    /// Nil: a text that cannot be sent, or no JSON object.
    init?(_ text: String?) {
        guard let text, AuthorizationRequest.isSendable(text), let members = JSONValue(text.utf8)?.object else {
            return nil
        }
        self.text = text
        self.members = members
    }

    /// What is asked for with these and an app's own, as a JSON object. Where both say something, the provider is heeded.
    func beside(_ own: String?) -> String {
        guard let own, let others = JSONValue(own.utf8)?.object else { return text }
        return Self.merged(others, members).text
    }

    private static func merged(_ one: [String: JSONValue], _ other: [String: JSONValue]) -> JSONValue {
        .object(
            one.merging(other) { one, other in
                guard let inner = one.object, let wanted = other.object else { return other }
                return merged(inner, wanted)
            })
    }
}

extension DemandedClaims: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<claims>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
