import FoundationEssentials
import Secrets
import WebText

/// How a request shows that it comes from this client: RFC 6749, section 2.3, and RFC 7523.
enum ClientAuthentication {
    static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// Adds what the settings' credential calls for.
    ///
    /// - Throws: `misconfigured` when the certificate file cannot be used.
    static func add(
        to request: inout HTTPRequest, settings: ClientSettings, metadata: ProviderMetadata, now: Int64
    ) async throws(IdentityError) {
        var form = (request.form ?? []).filter { $0.name != "client_id" }
        defer { request.form = form }
        switch settings.credential {
        case .none:
            form.append(("client_id", settings.clientID))
        case .secret(let secret):
            let methods = metadata.tokenEndpointAuthMethods
            if methods.contains("client_secret_post"), !methods.contains("client_secret_basic") {
                form += [("client_id", settings.clientID), ("client_secret", secret.text)]
            } else {
                // The device and PAR endpoints want the id in the form in any case.
                form.append(("client_id", settings.clientID))
                request.headers.append(("Authorization", basic(settings.clientID, secret)))
            }
        case .certificate(let file):
            let assertion = try await ClientAssertion(file).text(
                clientID: settings.clientID, audience: metadata.tokenEndpoint, now: now)
            form += [
                ("client_id", settings.clientID), ("client_assertion_type", assertionType),
                ("client_assertion", assertion),
            ]
        }
    }

    /// Both parts are escaped before they are joined (RFC 6749, section 2.3.1).
    private static func basic(_ clientID: String, _ secret: Secret) -> String {
        let pair = "\(FormText.escaped(clientID)):\(FormText.escaped(secret.text))"
        return "Basic \(Data(pair.utf8).base64EncodedString())"
    }
}
