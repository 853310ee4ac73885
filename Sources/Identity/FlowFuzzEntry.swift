import WebText

/// Ways in for generated input: each takes any bytes, must come back, and says which error they were refused with.
public enum FlowFuzzEntry {
    /// Redirects that a browser, or any process on this machine, brings.
    public static func redirect(_ bytes: [UInt8]) -> IdentityError? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let answer = RedirectAnswer(text) else { return nil }
        _ = answer.came(to: "http://127.0.0.1:8765/auth")
        _ = answer.came(to: text)
        guard case .error(let error) = answer.content else { return nil }
        return error.identityError(status: 302, correlationID: "")
    }

    /// Answers of the token endpoint.
    public static func tokenAnswer(_ bytes: [UInt8]) -> IdentityError? {
        do throws(IdentityError) {
            let answer = try TokenAnswer(body: bytes)
            let asked = try ScopeSet(["openid", "a"])
            // The latest time of all: nothing may overflow.
            guard let token = AccessToken(answer, asked: asked, received: .max - 1, correlationID: "") else {
                return nil
            }
            var cache = TokenCache()
            _ = cache.store(token, asked: asked, now: 0)
            _ = cache.token(for: asked, now: .max, left: 300)
            return nil
        } catch {
            return error
        }
    }

    /// Error answers of any endpoint.
    public static func errorAnswer(_ bytes: [UInt8], status: Int) -> IdentityError {
        OAuthError(body: JSONValue(bytes)).identityError(status: status, correlationID: "")
    }

    /// Answers of the device authorization endpoint.
    public static func deviceAnswer(_ bytes: [UInt8]) -> IdentityError? {
        do throws(IdentityError) {
            let expectation = RelyingParty.Expectation(
                started: 0, scopes: try ScopeSet(["openid"]), correlationID: "")
            _ = try PendingDevice(body: bytes, expectation: expectation, received: .max - 1)
            return nil
        } catch {
            return error
        }
    }
}
