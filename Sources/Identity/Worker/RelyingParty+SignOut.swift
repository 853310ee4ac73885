import Secrets
import WebText

/// RFC 7009, section 2.1.
enum TokenHint: String, Sendable {
    case refreshToken = "refresh_token"
    case accessToken = "access_token"
}

extension RelyingParty {
    /// Revokes a token: RFC 7009.
    func revoke(_ token: Secret, _ hint: TokenHint) async -> SignOutDebt.Part {
        do throws(IdentityError) {
            let metadata = try await metadata()
            guard let url = metadata.revocationEndpoint else { return .notOffered }
            let form = [(name: "token", value: token.text), (name: "token_type_hint", value: hint.rawValue)]
            let response = try await send(url, form, metadata: metadata, correlationID: RandomText.correlationID(""))
            switch response.status {
            case 200...299: return .done
            case 408, 429, 500...: return .open
            default:
                // A token that is no longer one is what we want.
                let code = OAuthError(body: JSONValue(response.body)).code
                return code == "invalid_token" || code == "invalid_grant" ? .done : .refused
            }
        } catch {
            // A credential that cannot be used stays so.
            if case .misconfigured = error.cause { return .refused }
            return .open
        }
    }

    /// Asks the provider to end its session, without a browser: OpenID Connect RP-Initiated Logout 1.0.
    ///
    /// GET, since not all take POST, and the redirect that answers it is not followed. The request carries no cookie, so a
    /// redirect proves nothing: some answer so when they know of no session.
    func endSession(idToken: Secret) async -> SignOutDebt.Part {
        let state = RandomText.make()
        do throws(IdentityError) {
            guard let url = try await logoutURL(idToken: idToken, state: state) else { return .notOffered }
            let response = try await http.send(
                HTTPRequest(
                    .get, url, headers: [("Accept", "text/html, */*;q=0.8")],
                    correlationID: RandomText.correlationID("")))
            switch response.status {
            case 200...299: return .waitsForPerson
            case 300...399:
                guard let target = response.header("Location") else { return .waitsForPerson }
                return leadsBack(target, state: state) ? .told : .waitsForPerson
            case 408, 429, 500...: return .open
            default: return .refused
            }
        } catch {
            return .open
        }
    }

    /// Uses a refresh token to see whether it is still good, and returns what it gave.
    ///
    /// - Throws: `interactionRequired` with `invalid_grant` when the provider says that it is not: RFC 6749, section 5.2.
    func tryOut(_ refreshToken: Secret) async throws(IdentityError) -> TokenAnswer {
        let metadata = try await metadata()
        let form = [(name: "grant_type", value: "refresh_token"), (name: "refresh_token", value: refreshToken.text)]
        let id = RandomText.correlationID("")
        return try TokenAnswer(
            body: try await post(metadata.tokenEndpoint, form, metadata: metadata, correlationID: id),
            correlationID: id)
    }

    /// The address of the log-out page; nil when the provider has none.
    func logoutURL(idToken: Secret?, state: String) async throws(IdentityError) -> String? {
        guard let url = try await metadata().endSessionEndpoint else { return nil }
        var query: [(name: String, value: String)] = []
        if let idToken {
            query.append((name: "id_token_hint", value: idToken.text))
            // Entra ID looks at nothing else, and asks without it whom to sign out.
            let hint = isMicrosoft ? PlainClaims.value("login_hint", of: idToken)?.string : nil
            if let hint = IdentityText.identifier(hint, longest: 2048) {
                query.append((name: "logout_hint", value: hint))
            }
        }
        query.append((name: "client_id", value: settings.clientID))
        if let target = settings.postLogoutRedirectURI {
            query += [(name: "post_logout_redirect_uri", value: target), (name: "state", value: state)]
        }
        return FormText.address(url, adding: query)
    }

    /// Whether a redirect leads to our own address with our own state. Others lead to pages that wait for a person.
    private func leadsBack(_ target: String, state: String) -> Bool {
        guard let own = settings.postLogoutRedirectURI, target.utf8.count <= RedirectAnswer.longest else {
            return false
        }
        let withoutFragment = target.prefix { $0 != "#" }
        let address = withoutFragment.prefix { $0 != "?" }
        guard RedirectAnswer.isSame(address, own.prefix { $0 != "?" }),
            let fields = FormText.decoded(withoutFragment.dropFirst(address.count).dropFirst())
        else { return false }
        // An error is reported to us in the same way as success.
        return fields.contains { $0.name == "state" && $0.value == state } && !fields.contains { $0.name == "error" }
    }
}
