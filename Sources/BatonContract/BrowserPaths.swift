/// Paths of the virtual origin that the agent answers inside the browser, and to which the provider sends it.
public enum BrowserPaths {
    /// The redirect URI of sign-ins.
    public static let signedIn = "/signed-in"
    /// Where the provider's log-out page leads back to.
    public static let signedOut = "/signed-out"
    /// OpenID Connect Front-Channel Logout 1.0.
    public static let frontChannel = "/front-channel-logout"
}
