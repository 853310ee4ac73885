public import DBus

/// Names and members of `org.baton.Device1.Tokens`.
public enum Tokens {
    public static let interface: InterfaceName = "org.baton.Device1.Tokens"

    /// Baton's own redirect URI, in the form of Microsoft's; its desktop file hands what arrives to batonctl.
    public static let ownRedirectURI = "msauth.org.baton.batonctl://auth"

    public static let acquireToken = Method(
        interface, "AcquireToken",
        takes: Arguments(("parameters", VariantDictionary.self)).holding(TokenRequest.self, in: "parameters"),
        gives: Arguments(("result", VariantDictionary.self)).holding(TokenResult.self, in: "result"))

    public static let acquireTokenSilently = Method(
        interface, "AcquireTokenSilently",
        takes: Arguments(("parameters", VariantDictionary.self)).describing(
            "parameters", as: TokenRequest.manualText { TokenRequest.Key(rawValue: $0)?.isInteractiveOnly == false }),
        gives: Arguments(("result", VariantDictionary.self)))

    public static let getErrorDetails = Method(
        interface, "GetErrorDetails", takes: Arguments(("correlation_id", String.self)),
        gives: Arguments(("details", VariantDictionary.self)).holding(TokenErrorDetails.self, in: "details"))

    public static let handleResponse = Method(
        interface, "HandleResponse", takes: Arguments(("url", String.self), ("source_application", String.self)),
        gives: Arguments(("matched", Bool.self)))
}
