/// What tells batond how long a device has been idle; the words of `GetDeviceInformation`.
public enum IdleSource: String, Hashable, Sendable, CaseIterable {
    /// Nothing does, so batond signs no worker out for it.
    case nothing = "no source"
}
