/// How a worker signs in at an identity provider.
public enum SignInMethod: String, Hashable, Sendable, Codable, CaseIterable {
    /// In a browser on this device.
    case browser
    /// On any other device, with a code that this one shows.
    case deviceCode = "device-code"
}
