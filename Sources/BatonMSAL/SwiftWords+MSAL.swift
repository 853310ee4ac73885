internal import Baton

extension SwiftWords {
    /// MSAL has another name for one of the calls.
    static func ofMSAL(_ text: String) -> String {
        replacing(["acquireTokenSilently"], in: text) { _ in "acquireTokenSilent" }
    }
}
