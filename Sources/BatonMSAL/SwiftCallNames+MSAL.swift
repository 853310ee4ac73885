import Baton

extension SwiftCallNames {
    /// MSAL has another name for one of the calls.
    static func replacedForMSAL(in text: String) -> String {
        replacing(["acquireTokenSilently"], in: text) { _ in "acquireTokenSilent" }
    }
}
