public import Baton

/// How to sign out.
public final class SignoutParameters: RequestParameters {
    /// Also sign the browser out. On a shared device that always happens, and the result says so.
    public var signoutFromBrowser = false
    /// Also let the device forget that this worker was there: it has no previous account then.
    public var wipeAccount = false
    public let webviewParameters: WebviewParameters

    public init(webviewParameters: WebviewParameters = WebviewParameters()) {
        self.webviewParameters = webviewParameters
    }
}

/// How a sign-out ended.
public struct SignOutResult: Hashable, Sendable {
    /// On a shared device: every app has cleared, or was stopped and wiped. Not when one owes or the device is
    /// quarantined.
    public let success: Bool
    /// The device was signed out, or this app alone.
    public let mode: DeviceMode
    /// `signoutFromBrowser` was false, and the browser was signed out all the same: the device is shared.
    public let signoutFromBrowserWasOverridden: Bool
    /// What happened on the device; nil where there was nothing to sign out, and in personal mode.
    public let receipt: Receipt?
    /// What went wrong, for people; empty with `success`.
    public let explanation: String
}
