import Testing
import WebText

@testable import Identity

@Suite struct TokenErrorTests {
    private func cause(_ body: String, status: Int = 400) -> IdentityError.Cause {
        OAuthError(body: JSONValue(body.utf8)).cause(status: status)
    }

    @Test(arguments: [
        (#"{"error": "invalid_grant"}"#, 400, IdentityError.Cause.interactionRequired(code: "invalid_grant")),
        (#"{"error": "interaction_required"}"#, 400, .interactionRequired(code: "interaction_required")),
        (#"{"error": "login_required"}"#, 401, .interactionRequired(code: "login_required")),
        (#"{"error": "consent_required"}"#, 400, .interactionRequired(code: "consent_required")),
        (#"{"error": "invalid_grant", "suberror": "basic_action"}"#, 400, .interactionRequired(code: "basic_action")),
        (
            #"{"error": "invalid_grant", "suberror": "consent_required"}"#, 400,
            .interactionRequired(code: "consent_required")
        ),
        (#"{"error": "invalid_grant", "suberror": "bad_token"}"#, 400, .interactionRequired(code: "invalid_grant")),
        (#"{"error": "invalid_grant", "error_codes": [65001]}"#, 400, .interactionRequired(code: "consent_required")),
        (
            #"{"error": "invalid_grant", "error_codes": [90094], "suberror": "consent_required"}"#, 400,
            .rejected(code: "admin_consent_required", status: 400)
        ),
        (
            #"{"error": "access_denied", "error_codes": [90095]}"#, 400,
            .rejected(code: "admin_consent_required", status: 400)
        ),
        (#"{"error": "admin_consent_required"}"#, 400, .rejected(code: "admin_consent_required", status: 400)),
        (#"{"error": "invalid_code"}"#, 403, .rejected(code: "invalid_code", status: 403)),
        (#"{"error": "access_denied"}"#, 400, .denied),
        (#"{"error": "expired_token"}"#, 400, .expired),
        (#"{"error": "server_error"}"#, 500, .unavailable(status: 500)),
        (#"{"error": "temporarily_unavailable"}"#, 400, .unavailable(status: 503)),
        ("", 429, .unavailable(status: 429)), ("<html>", 502, .unavailable(status: 502)),
        ("", 400, .rejected(code: "", status: 400)), ("null", 404, .rejected(code: "", status: 404)),
        (#"{"error": {"code": 1}}"#, 400, .rejected(code: "", status: 400)),
        (#"{"error": "two words"}"#, 400, .rejected(code: "", status: 400)),
        (#"{"error": "<b>"}"#, 400, .rejected(code: "", status: 400)),
    ])
    func `An error means what somebody can do about it`(body: String, status: Int, expected: IdentityError.Cause) {
        #expect(cause(body, status: status) == expected)
    }

    @Test func `Codes are short and of the standard's alphabet`() {
        #expect(OAuthError(code: String(repeating: "a", count: 64)).code.count == 64)
        for wrong in [String(repeating: "a", count: 65), "ä", "a b", "a\n", "a/b", ""] {
            #expect(OAuthError(code: wrong).code == "")
        }
    }

    @Test func `Entra's numbers come from their field, or from the text where there is none`() {
        func numbers(_ body: String) -> [Int] { OAuthError(body: JSONValue(body.utf8)).numbers }
        #expect(numbers(#"{"error_codes": [50076, 1.0, "x", null, -3, 9e99, 123456789012]}"#) == [50076, 1])
        #expect(numbers(#"{"error_description": "AADSTS50076: x AADSTS: AADSTS999999999999 AADSTS7"}"#) == [50076, 7])
        #expect(numbers(#"{"error_codes": "50076"}"#) == [])
        let many = (1...100).map(String.init).joined(separator: ",")
        #expect(numbers(#"{"error_codes": [\#(many)]}"#).count == 16)
    }

    @Test func `Claims that are demanded are a JSON object, and repeat nothing that was sent`() throws {
        func claims(_ text: JSONValue) -> DemandedClaims? { OAuthError(body: ["claims": text]).claims }
        #expect(claims(#"{"a":{"b":null}}"#)?.text == #"{"a":{"b":null}}"#)
        let long: JSONValue = .string("{\"a\":\"\(String(repeating: "x", count: 5000))\"}")
        for wrong: JSONValue in ["[]", "", "x", "{", "{\n}", long, ["a": 1], 7] { #expect(claims(wrong) == nil) }
        let error = OAuthError(body: ["error": "interaction_required", "claims": #"{"a":"secret-secret-secret"}"#])
        #expect(error.withoutEcho(of: [("refresh_token", "secret-secret-secret")]).claims == nil)
        #expect(error.withoutEcho(of: [("refresh_token", "other-secret-secret")]).claims == error.claims)
        let demanded = try #require(error.identityError(status: 400, correlationID: "").claims)
        #expect(!"\(demanded) \(String(reflecting: demanded))".contains("secret"))
        #expect(demanded.beside(nil) == demanded.text)
        #expect(demanded.beside(#"{"a":1,"b":{"c":2}}"#) == #"{"a":"secret-secret-secret","b":{"c":2}}"#)
        let inner = try #require(claims(#"{"b":{"d":3}}"#))
        #expect(inner.beside(#"{"a":1,"b":{"c":2}}"#) == #"{"a":1,"b":{"c":2,"d":3}}"#)
    }

    @Test func `A code that repeats what was sent is dropped`() {
        let error = OAuthError(code: "canary-refresh-token-0123456789")
        #expect(error.withoutEcho(of: [("refresh_token", "x-canary-refresh-token-0123456789")]).code == "")
        #expect(error.withoutEcho(of: [("refresh_token", "other")]).code == error.code)
    }
}
