/// The worker who holds the device, as the machine sees them: only `id` is ever compared.
public struct TurnAccount: Hashable, Sendable, Codable {
    /// Issuer and subject, opaque.
    public let id: String
    /// The other keys of the contract's account dictionary, for people and for the provider.
    public let attributes: [String: String]

    public init(id: String, attributes: [String: String] = [:]) {
        self.id = id
        self.attributes = attributes
    }

    /// Of a turn that is known to have begun, and no more. The contract has no account for it.
    public static let unknown = TurnAccount(id: "")
}
