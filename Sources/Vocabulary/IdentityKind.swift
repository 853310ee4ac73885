/// Where workers' accounts come from; the words of `identity.kind` and of `GetDeviceInformation`.
public enum IdentityKind: String, Hashable, Sendable, CaseIterable {
    /// From `accounts.yaml`, with PINs.
    case local
    /// From an OpenID Connect provider.
    case oidc
}
